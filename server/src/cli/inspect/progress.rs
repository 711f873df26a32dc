//! The progress bar on standard error.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Fewest files with a progress bar.
const MIN_FILES: usize = 10;

/// The bar; hidden for few files, if standard error is no terminal, and if answers are printed to it.
pub(super) fn bar(files: usize, go_by: bool) -> ProgressBar {
    if files < MIN_FILES || go_by || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} files, {eta} left");
    // drawn only on a terminal
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

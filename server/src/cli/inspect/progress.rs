//! A bar on standard error while many files are inspected.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Fewer files are done before a bar is read.
const MANY: usize = 10;

/// The bar; an unseen one for few files, where standard error is no terminal, and where the answers themselves go by.
pub(super) fn bar(files: usize, go_by: bool) -> ProgressBar {
    if files < MANY || go_by || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} files, {eta} left");
    // drawn nowhere but on a terminal
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

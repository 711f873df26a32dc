//! Badges: a circle for files, a seal for signatures, and a sign for each verdict.

use engine::{Signature, SignatureStatus, Verdict};
use maud::{Markup, html};
use report::words::{self, Tone};

const TICK: &str = "M7 12.4l3.4 3.4L17 9";
const CROSS: &str = "M8.2 8.2l7.6 7.6M15.8 8.2l-7.6 7.6";
const DASH: &str = "M7.5 12h9";
const AGAIN: &str = "M16.6 9.4A5.4 5.4 0 1 0 17.4 12.4M17 6.4v3.4h-3.4";
const QUESTION: &str = "M9.2 9.4a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.1-1.5 2.3M12 17.2v.3";

/// The badge of a verdict.
pub(crate) fn verdict(verdict: Option<Verdict>) -> Markup {
    let (is_seal, sign) = match verdict {
        Some(Verdict::ChangedSinceSigning) => (true, CROSS),
        Some(Verdict::PermittedChangesSinceSigning) => (true, "M5.8 11.9l2.8 2.9 5.2-5.6M16.4 12.4v5M13.9 14.9h5"),
        Some(Verdict::UnchangedSinceSigning) => (true, TICK),
        Some(Verdict::Changed) => (false, "M7 9.6h10M7 14.4h10M14.6 6.6l-5.2 10.8"),
        Some(Verdict::SignsOfChange) => (false, "M6.6 10q2.7-2.8 5.4 0t5.4 0M6.6 14.8q2.7-2.8 5.4 0t5.4 0"),
        Some(Verdict::SavedAgain) => (false, AGAIN),
        Some(Verdict::NoSigns) => (false, DASH),
        Some(Verdict::Undetermined) | None => (false, QUESTION),
    };
    badge(is_seal, sign, words::verdict_tone(verdict))
}

/// The badge of a comparison.
pub(crate) fn compared(tone: Tone) -> Markup {
    let sign = match tone {
        Tone::Good => TICK,
        Tone::Warning | Tone::Bad => "M7 9.6h10M7 14.4h10M14.6 6.6l-5.2 10.8",
        Tone::Neutral => "M7 9.6h10M7 14.4h10",
    };
    badge(false, sign, tone)
}

/// The badge of a signature.
pub(super) fn signature(signature: &Signature) -> Markup {
    badge(true, sign_of(signature.status), words::signature_tone(signature))
}

fn sign_of(status: SignatureStatus) -> &'static str {
    match status {
        SignatureStatus::Intact => TICK,
        SignatureStatus::Broken => CROSS,
        SignatureStatus::Unchecked => QUESTION,
    }
}

fn badge(is_seal: bool, sign: &str, tone: Tone) -> Markup {
    html! {
        svg class={ "mark " (tone.class()) } viewBox="0 0 24 24" aria-hidden="true" { (shape(is_seal, sign)) }
    }
}

/// The shapes of a badge, in a box of 24 by 24.
fn shape(is_seal: bool, sign: &str) -> Markup {
    html! {
        @if is_seal {
            rect x="3.6" y="3.6" width="16.8" height="16.8" rx="2.4" {}
            rect x="3.6" y="3.6" width="16.8" height="16.8" rx="2.4" transform="rotate(45 12 12)" {}
        } @else { circle cx="12" cy="12" r="11" {} }
        path d=(sign) {}
    }
}

/// The seal of a signature in a larger picture, centered at this place.
pub(super) fn seal_at(signature: &Signature, x: u32, y: u32) -> Markup {
    let tone = words::signature_tone(signature).class();
    html! {
        g class={ "mark " (tone) } transform={ "translate(" (x.saturating_sub(10)) " " (y.saturating_sub(10)) ") scale(.84)" } {
            (shape(true, sign_of(signature.status)))
        }
    }
}

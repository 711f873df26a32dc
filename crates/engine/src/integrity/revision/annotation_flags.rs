//! Annotation flags (ISO 32000-2, 12.5.3, table 167).

pub(super) const INVISIBLE: i64 = 1;
pub(super) const HIDDEN: i64 = 1 << 1;
pub(super) const PRINT: i64 = 1 << 2;
pub(super) const NO_ZOOM: i64 = 1 << 3;
pub(super) const NO_ROTATE: i64 = 1 << 4;
pub(super) const NO_VIEW: i64 = 1 << 5;
pub(super) const READ_ONLY: i64 = 1 << 6;
pub(super) const LOCKED: i64 = 1 << 7;
pub(super) const LOCKED_CONTENTS: i64 = 1 << 9;

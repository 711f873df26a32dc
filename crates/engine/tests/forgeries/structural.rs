//! Forgeries that are not of one object: one table.

use samples::builds::Permits;

use crate::expected::{self, Expected};
use crate::subject::Subject;
use crate::{fields, pages, trailers};

/// Files, with words for what was done to each.
pub(crate) type Made = Vec<(String, Vec<u8>)>;

/// A forgery of a whole file.
pub(crate) struct Structure {
    pub(crate) name: &'static str,
    /// All ways of doing it.
    pub(crate) make: fn(&Subject) -> Made,
    pub(crate) expected: fn(&Subject) -> Expected,
}

fn refused(_: &Subject) -> Expected {
    Expected::Refused
}

fn information(subject: &Subject) -> Expected {
    if subject.build.permits == Permits::Nothing { Expected::Refused } else { Expected::Told }
}

fn seen_by_nobody(_: &Subject) -> Expected {
    Expected::Anything(expected::COUNTED)
}

fn note(subject: &Subject) -> Expected {
    if subject.build.permits == Permits::Notes { Expected::Told } else { Expected::Refused }
}

macro_rules! structures {
    ($($name:literal, $expected:ident, $module:ident::$make:ident;)+) => {
        &[$(Structure { name: $name, make: $module::$make, expected: $expected }),+]
    };
}

/// All of them.
pub(crate) const STRUCTURES: &[Structure] = structures! {
    "hybrid of nothing", refused, trailers::hidden_table;
    "startxref is off", refused, trailers::off;
    "no end of its own", refused, trailers::endless;
    "behind the end", refused, trailers::behind;
    "loose beside an update", refused, trailers::loose;
    "end out of sight", refused, trailers::out_of_sight;
    "back to an older revision", refused, trailers::back;
    "around the signed revision", refused, trailers::around;
    "another root", refused, trailers::another_root;
    "Info is something drawn", information, trailers::info;
    "size below its numbers", seen_by_nobody, trailers::small;
    "encrypted later", refused, trailers::encrypted;
    "kids added", refused, pages::kids;
    "kids taken away", refused, pages::fewer_kids;
    "inherited by a node", refused, pages::node;
    "missing object filled in", refused, pages::missing;
    "missing name filled in", refused, pages::ghost;
    "note over the page", note, pages::note;
    "annotation taken off the page", note, pages::taken_off;
    "field over the page", refused, fields::cover;
    "signature over the page", refused, fields::signed_cover;
    "old value in a new field", refused, fields::shown_again;
    "later certification permits more", refused, fields::certified_later;
    "later lock permits more", refused, fields::locked_later;
    "fifty-one signatures", refused, fields::fifty_one;
};

//! Signatures in PDFs made in code: sound ones in every form, broken ones, ranges that lie, published attacks.

mod algorithms;
mod attacks;
mod beneath;
mod bill;
mod broken;
mod defaults;
mod described;
mod effect;
mod encrypted;
mod fillings;
mod forms;
mod gates;
mod generated;
mod grounds;
mod honest;
mod indirect;
mod inherited;
mod limits;
mod looks;
mod marks;
mod overlaps;
mod pictures;
mod pkits;
mod programs;
mod properties;
mod ranges;
mod reach;
mod recognized;
#[path = "../common/remote.rs"]
mod remote;
mod rewritten;
mod sound;
mod support;
mod tagged;
mod trust;
mod updates;

//! What pages draw: the text of every kind of font, where it stands, what is seen of it, and content made to be too much.

mod annotations;
mod areas;
mod compare;
mod fonts;
mod hostile;
mod lines;
mod looks;
mod properties;
mod support;

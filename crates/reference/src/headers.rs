//! The headers of answers.

use crate::tree::{Tree, object};

/// Name, schema, example, description.
type Header = (&'static str, Kind, &'static str, &'static str);

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Whole,
    Constant,
}

const HEADERS: [Header; 12] = [
    ("Cache-Control", Kind::Constant, "no-store", "Answers are private and change."),
    (
        "Link",
        Kind::Text,
        "</api/v1/pdf?page=2&per_page=20>; rel=\"next\"",
        "The pages around this one (RFC 8288): those of `first`, `prev`, `next` and `last` that exist.",
    ),
    (
        "Location",
        Kind::Text,
        "/api/v1/pdf/00000000-0001-8614-bd98-f44607e6fa02",
        "The address of what was created (RFC 9110, 10.2.2). That of a token takes DELETE only.",
    ),
    (
        "RateLimit",
        Kind::Text,
        "\"daily\";r=49;t=60862",
        "The remaining quota of today (`r`), and the seconds until it resets (`t`): draft-ietf-httpapi-ratelimit-headers.",
    ),
    (
        "RateLimit-Policy",
        Kind::Text,
        "\"daily\";q=50;w=86400",
        "The quota (`q`) of a day (`w` seconds), by the same draft.",
    ),
    ("Retry-After", Kind::Whole, "60862", "Seconds to wait before another try (RFC 9110, 10.2.3)."),
    ("WWW-Authenticate", Kind::Constant, "Bearer", "How to authenticate (RFC 6750)."),
    ("X-Content-Type-Options", Kind::Constant, "nosniff", "The body is what `Content-Type` says."),
    ("X-RateLimit-Limit", Kind::Whole, "50", "Analyses allowed a day."),
    ("X-RateLimit-Remaining", Kind::Whole, "49", "Analyses still allowed today."),
    ("X-RateLimit-Reset", Kind::Whole, "1795219200", "When the quota resets: seconds since 1970."),
    ("X-Request-Id", Kind::Text, "0b4c5d6e-7f80-4912-a3b4-c5d6e7f80912", "The request's id, for the operator."),
];

/// The headers of every answer.
pub(crate) const COMMON_HEADERS: [&str; 3] = ["Cache-Control", "X-Content-Type-Options", "X-Request-Id"];

/// The headers of every answer to a caller who is known.
pub(crate) const QUOTA: [&str; 5] =
    ["RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/// A header's name as the document writes it; `None` if the document does not speak of it.
pub(crate) fn documented(name: &str) -> Option<String> {
    HEADERS.iter().map(|header| header.0).find(|known| known.eq_ignore_ascii_case(name)).map(str::to_owned)
}

/// All of them, as components.
pub(crate) fn components() -> Tree {
    let entries = HEADERS.iter().map(|(name, kind, example, description)| {
        let schema = match kind {
            Kind::Text => object([("type", "string".into())]),
            Kind::Constant => object([("type", "string".into()), ("const", (*example).into())]),
            Kind::Whole => object([("type", "integer".into()), ("minimum", 0.into())]),
        };
        let example = match kind {
            Kind::Whole => example.parse::<u64>().expect("a number").into(),
            _ => Tree::from(*example),
        };
        let header = object([
            ("description", (*description).into()),
            ("required", true.into()),
            ("schema", schema),
            ("example", example),
        ]);
        (Tree::from(*name), header)
    });
    Tree::Mapping(entries.collect())
}

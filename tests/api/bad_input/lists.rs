//! `GET /pdf`: pages that are none.

use reqwest::Method;

use super::case::Case;
use super::world::World;

/// Values of `page` and `per_page` alike that are no plain number.
const NO_NUMBERS: [&str; 26] = [
    "0",
    "-1",
    "%2B1",
    "+1",
    "1.0",
    "1e2",
    "01",
    "",
    "%20",
    "1%20",
    "abc",
    "0x1",
    "1_0",
    "1,2",
    "NaN",
    "null",
    "true",
    "[1]",
    "1%00",
    "%D9%A1",
    "%EF%BC%91",
    "%E2%85%A0",
    "\u{b2}",
    "99999999999999999999999",
    "18446744073709551617",
    "1;2",
];

pub(super) fn cases(world: &World) -> Vec<Case> {
    let list = |query: &str| {
        let what = format!("list {query:?}");
        Case::http(what, world.ada.request(Method::GET, &format!("/pdf?{query}")))
    };
    let mut cases = Vec::new();
    for value in NO_NUMBERS {
        for key in ["page", "per_page"] {
            cases.push(list(&format!("{key}={value}")).gives(422, "validation_failed").holding(key));
        }
    }
    for query in [
        "per_page=101",
        "page=9007199254740993",
        "page=1&page=1",
        "page=1&page=2",
        "per_page=20&per_page=20",
        "page",
        "per%5Fpage=0",
        "page=1&per_page=0",
        "page=0&per_page=20",
        "before=1",
        "before=%00",
        "before=00000000-0001-8614-bd98-f44607e6fa02",
        "before=ffffffff-ffff-8614-bd98-f44607e6fa02&per_page=1",
        "before=00000000-0000-8000-8000-000000000000",
        "before=00000000-0001-8614-bd98-f44607e6fa02&page=1",
        "before&verdict=changed",
        "verdict=changed&page=2",
        "verdict=changed,eaten",
        "verdict=no_signs%20",
        "verdict=changed&verdict=changed",
    ] {
        cases.push(list(query).gives(422, "validation_failed"));
    }
    for query in [
        "",
        "per_page=1",
        "per_page=100",
        "page=9007199254740992",
        "page=9007199254740992&per_page=100",
        "page=%31",
        "Page=0&PER_PAGE=0&Before=1&VERDICT=x",
        "verdict=no_signs&page=1&per_page=1",
        "verdict=chang%65d",
        "page%5B%5D=0&page[]=0",
        "unknown=%FF&%00=1&=&&",
        "%",
        "page=1%26per_page=0&x",
    ] {
        let case = list(query);
        let odd = query.contains("%26");
        cases.push(if odd { case.gives(422, "validation_failed") } else { case.gives(200, "") });
    }
    cases.push(list(&format!("x={}", "y".repeat(8_000))).gives(200, ""));
    cases
}

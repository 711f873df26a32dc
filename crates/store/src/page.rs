//! Pagination: the rows of a page, and the links to other pages (RFC 8288).

use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::error::FieldErrors;

/// The requested page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageRequest {
    /// The page, from 1. A page past the end is empty.
    #[param(rename = "page", required = false, minimum = 1, maximum = 9_007_199_254_740_992_u64, default = 1)]
    number: u64,
    /// Entries on a page, 1 to 100.
    #[param(required = false, minimum = 1, maximum = 100, default = 20)]
    per_page: u64,
}

/// `meta` of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Pagination)]
pub struct Meta {
    /// The requested page; with `before` or a filter, the page of the unfiltered list that contains the newest examined
    /// analysis.
    pub current_page: u64,
    /// The last page of the whole list; 1 if it is empty.
    pub last_page: u64,
    /// Maximum entries of a page.
    pub per_page: u64,
    /// Number of entries of this `kind` in the account, whatever the filters.
    pub total: u64,
}

impl PageRequest {
    /// Default rows per page.
    pub const DEFAULT_PER_PAGE: u64 = 20;
    /// Maximum rows per page.
    pub const MAX_PER_PAGE: u64 = 100;
    /// Largest page number: 2^53, which every JSON reader represents exactly.
    pub const MAX_NUMBER: u64 = 1 << 53;

    /// Reads `page` and `per_page` from a raw query string; other keys are ignored. A value that is not plain digits in range, or
    /// that is given twice, is added to `errors`.
    pub(crate) fn read(query: &str, errors: &mut FieldErrors) -> Self {
        let number = field(query, "page", Self::MAX_NUMBER).unwrap_or_else(|()| {
            errors.add("page", "must be one whole number from 1 to 9007199254740992");
            None
        });
        let per_page = field(query, "per_page", Self::MAX_PER_PAGE).unwrap_or_else(|()| {
            errors.add("per_page", "must be one whole number from 1 to 100");
            None
        });
        Self { number: number.unwrap_or(1), per_page: per_page.unwrap_or(Self::DEFAULT_PER_PAGE) }
    }

    /// Whether this is the first page.
    pub(crate) fn is_first(&self) -> bool {
        self.number == 1
    }

    /// Maximum entries of a page.
    #[must_use]
    pub fn per_page(&self) -> u64 {
        self.per_page
    }

    /// Rows on the pages before this one.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        // saturated: no account has that many
        (self.number - 1).saturating_mul(self.per_page)
    }

    /// The page's position among all pages.
    #[must_use]
    pub fn meta(&self, total: u64) -> Meta {
        Meta {
            current_page: self.number,
            last_page: total.div_ceil(self.per_page).max(1),
            per_page: self.per_page,
            total,
        }
    }

    /// The `Link` header: first, prev, next and last of the list at `path`, with `more` at the end of each query.
    pub(crate) fn links(&self, path: &str, more: &str, total: u64) -> String {
        let last = self.meta(total).last_page;
        let prev = (self.number > 1).then(|| (self.number - 1).min(last));
        let next = (self.number < last).then(|| self.number + 1);
        [("first", Some(1)), ("prev", prev), ("next", next), ("last", Some(last))]
            .into_iter()
            .filter_map(|(relation, page)| {
                Some(format!("<{path}?page={}&per_page={}{more}>; rel=\"{relation}\"", page?, self.per_page))
            })
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The value of `key`, if present; `Err` if it is repeated or not digits from 1 to `max`.
fn field(query: &str, key: &str, max: u64) -> Result<Option<u64>, ()> {
    let read = |value: &str| {
        let digits = !value.is_empty() && !value.starts_with('0') && value.bytes().all(|byte| byte.is_ascii_digit());
        value.parse().ok().filter(|number| digits && *number <= max)
    };
    single(query, key, read)
}

/// The value of `key` parsed by `read`, if present; `Err` if it is repeated or invalid.
pub(crate) fn single<T>(query: &str, key: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, ()> {
    let mut values = url::form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == key);
    let Some((_, value)) = values.next() else { return Ok(None) };
    match read(&value) {
        Some(read) if values.next().is_none() => Ok(Some(read)),
        _ => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::PageRequest;
    use crate::error::FieldErrors;

    /// The page of a query; `None` if it is invalid.
    fn parse(query: &str) -> Option<PageRequest> {
        let mut errors = FieldErrors::default();
        let page = PageRequest::read(query, &mut errors);
        errors.is_empty().then_some(page)
    }

    proptest! {
        #[test]
        fn the_last_page_is_the_last_that_holds_anything(total in 0u64..2_000, per_page in 1u64..=100) {
            let last_page = PageRequest { number: 1, per_page }.meta(total).last_page;
            let (last, past) = (PageRequest { number: last_page, per_page }, PageRequest { number: last_page + 1, per_page });
            prop_assert!(last.skipped() < total.max(1));
            prop_assert!(past.skipped() >= total);
        }

        #[test]
        fn any_page_of_any_total_is_computed(number in 1u64..=PageRequest::MAX_NUMBER, per_page in 1u64..=100, total: u64) {
            let page = PageRequest { number, per_page };
            prop_assert!(page.skipped() >= number - 1);
            prop_assert!(page.meta(total).last_page >= 1);
        }

        #[test]
        fn any_query_is_read_without_panic(query in "\\PC{0,60}") {
            let _ = parse(&query);
        }
    }

    #[test]
    fn only_plain_digits_in_range_are_taken() {
        for good in ["", "page=1", "per_page=100&x=%ff", "page=9007199254740992", "page=%31"] {
            assert!(parse(good).is_some(), "{good}");
        }
        for bad in [
            "page=0",
            "page=",
            "page",
            "page=01",
            "page=+1",
            "page=1.0",
            "page=-1",
            "page=a",
            "page=9007199254740993",
            "page=1&page=1",
            "per_page=0",
            "per_page=101",
            "per_page=20,30",
            "per_page=٢",
            "per_page=1 ",
        ] {
            assert!(parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn links_lead_round_the_list() {
        let page = parse("page=2&per_page=10").unwrap();
        assert_eq!(
            page.links("/pdf", "", 25),
            "</pdf?page=1&per_page=10>; rel=\"first\", </pdf?page=1&per_page=10>; rel=\"prev\", \
             </pdf?page=3&per_page=10>; rel=\"next\", </pdf?page=3&per_page=10>; rel=\"last\""
        );
        assert!(!page.links("/pdf", "&kind=all", 5).contains("next"));
    }
}

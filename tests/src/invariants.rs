//! Invariants of the table and the bucket, checked after any operation, read without the service.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::Value;
use shared::reference::Reference;

use crate::service::TestService;

/// The attributes of an entry that lists show.
const LISTED: [&str; 9] =
    ["id", "filename", "compared_with", "reference", "file_size", "verdict", "reason_signal", "reason", "analyzed_at"];

type Item = HashMap<String, AttributeValue>;

/// The whole table, by partition and sort key.
#[derive(Debug)]
pub struct Snapshot {
    items: BTreeMap<(String, String), Item>,
    objects: BTreeSet<String>,
}

impl Snapshot {
    /// Reads everything.
    pub async fn of(service: &TestService) -> Self {
        let template = service.service().template();
        let mut pages = service
            .service()
            .dynamodb()
            .scan()
            .table_name(&template.table.name)
            .consistent_read(true)
            .into_paginator()
            .items()
            .send();
        let mut items = BTreeMap::new();
        while let Some(item) = pages.next().await {
            let item = item.unwrap();
            items.insert((text(&item, "pk"), text(&item, "sk")), item);
        }
        let mut listing =
            service.service().s3().list_objects_v2().bucket(&template.bucket.name).into_paginator().send();
        let mut objects = BTreeSet::new();
        while let Some(page) = listing.next().await {
            objects.extend(page.unwrap().contents().iter().filter_map(|object| object.key().map(str::to_owned)));
        }
        Self { items, objects }
    }

    /// Whether the table holds nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many accounts there are.
    #[must_use]
    pub fn users(&self) -> usize {
        self.items.keys().filter(|(_, sk)| sk == "ACCOUNT").count()
    }

    /// The number of index items of links.
    #[must_use]
    pub fn links(&self) -> usize {
        self.items.keys().filter(|(_, sk)| sk == "SHARE").count()
    }

    /// The whole table as text, to compare or to search.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_of_partitions(|_| true)
    }

    /// The same without the partitions that start with `prefix`, and without the number of all registrations.
    #[must_use]
    pub fn text_without(&self, prefix: &str) -> String {
        self.text_of_partitions(|partition| !partition.starts_with(prefix) && partition != "REGISTRATIONS")
    }

    fn text_of_partitions(&self, wanted: impl Fn(&str) -> bool) -> String {
        let items = self.items.iter().filter(|((partition, _), _)| wanted(partition));
        items.map(|(key, item)| format!("{key:?} {}\n", sorted(item))).collect()
    }

    /// One user's rows as text.
    #[must_use]
    pub fn text_of(&self, user: &str) -> String {
        self.rows(user, "").map(|item| format!("{}\n", sorted(item))).collect()
    }

    /// The staged files.
    #[must_use]
    pub fn objects(&self) -> &BTreeSet<String> {
        &self.objects
    }

    /// The items of a user's partition whose sort key starts with `prefix`.
    pub fn rows<'a>(&'a self, user: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a Item> + 'a {
        let rows =
            self.items.iter().filter(move |((pk, sk), _)| pk == &format!("USER#{user}") && sk.starts_with(prefix));
        rows.map(|(_, item)| item)
    }

    /// Checks every account: counters equal rows, rows and deleted numbers make up all numbers, nothing orphaned.
    ///
    /// # Panics
    /// If an invariant is violated.
    pub fn check(&self) {
        let users: BTreeSet<_> = self.items.keys().filter_map(|(pk, _)| pk.strip_prefix("USER#")).collect();
        for object in &self.objects {
            let owner = object.strip_prefix("uploads/").and_then(|rest| rest.split_once('/')).map(|(owner, _)| owner);
            assert!(owner.is_some_and(|owner| users.contains(owner)), "orphan {object}");
        }
        for user in users {
            let account = self.items.get(&(format!("USER#{user}"), "ACCOUNT".to_owned()));
            let account = account.unwrap_or_else(|| panic!("rows of {user} without an account"));
            self.check_analyses(user, account);
            self.check_leads(user);
            self.check_shares(user, account);
            self.check_mails(user, account);
            let current = number(account, "token_generation");
            let tokens =
                self.rows(user, "TOKEN#").filter(|token| number(token, "generation") == current).count() as u64;
            assert_eq!(number(account, "tokens"), tokens, "tokens of {user}");
            let email = (format!("EMAIL#{}", text(account, "email").to_lowercase()), "EMAIL".to_owned());
            let owner = self.items.get(&email).map(|item| text(item, "user"));
            assert_eq!(owner.as_deref(), Some(user), "e-mail of {user}");
        }
        for ((pk, _), lead) in self.items.iter().filter(|((_, sk), _)| sk == "SHARE") {
            let (owner, of) = (text(lead, "user"), number(lead, "number"));
            let row = self.items.get(&(format!("USER#{owner}"), format!("ANALYSIS#{of:012}")));
            assert_eq!(row.and_then(share).as_ref(), Some(pk), "a link that leads nowhere");
        }
        for (pk, _) in self.items.keys().filter(|(_, sk)| sk == "EMAIL") {
            let owner = text(&self.items[&(pk.clone(), "EMAIL".to_owned())], "user");
            assert!(self.items.contains_key(&(format!("USER#{owner}"), "ACCOUNT".to_owned())), "orphan {pk}");
        }
    }

    /// Links are counted in the account and their index items point to their analyses, except links that may have
    /// expired or ended with all others.
    fn check_shares(&self, user: &str, account: &Item) {
        let counted: BTreeMap<u64, u64> = account.get("shares").map_or_else(BTreeMap::new, |shares| {
            let parts = shares.as_m().unwrap().iter();
            parts.map(|(of, end)| (of.parse().unwrap(), end.as_n().unwrap().parse().unwrap())).collect()
        });
        assert!(counted.len() <= 100, "links of {user}");
        let mut shared = BTreeMap::new();
        for row in self.rows(user, "ANALYSIS#") {
            let Some(lead) = share(row) else { continue };
            let (of, ends) = (numbered(row, "ANALYSIS#"), number(row, "share_ends"));
            let all_ended = number(account, "token_generation") > 0 && !counted.contains_key(&of);
            let may_have_ended = row.contains_key("share_ends") || all_ended;
            assert!(
                may_have_ended || self.items.contains_key(&(lead, "SHARE".to_owned())),
                "no lead to {of} of {user}"
            );
            assert!(may_have_ended || counted.contains_key(&of), "uncounted link to {of} of {user}");
            shared.insert(of, ends);
        }
        for (of, ends) in &counted {
            assert_eq!(shared.get(of), Some(ends), "link to {of} of {user}");
        }
    }

    /// Each analysis has the index rows of its file, document and reference, and no index row points to a missing
    /// analysis.
    fn check_leads(&self, user: &str) {
        let mut expected = BTreeSet::new();
        for row in self.rows(user, "ANALYSIS#") {
            let number = numbered(row, "ANALYSIS#");
            if let Some(reference) = row.get("reference") {
                let key = Reference::parse(reference.as_s().unwrap()).unwrap().key();
                let lead = format!("REFERENCE#{key}#{number:012}");
                let item = self.items.get(&(format!("USER#{user}"), lead.clone()));
                let item = item.unwrap_or_else(|| panic!("nothing leads to {number} of {user} from its reference"));
                for name in LISTED {
                    assert_eq!(item.get(name), row.get(name), "{name} of {lead} of {user}");
                }
                expected.insert(lead);
            }
            for (attribute, kind) in [("sha256", "FILE"), ("document", "DOCUMENT")] {
                let Some(key) = row.get(attribute).map(hexadecimal) else { continue };
                let lead = format!("{kind}#{key}#{number:012}");
                let item = self.items.get(&(format!("USER#{user}"), lead.clone()));
                assert_eq!(item.and_then(|item| item.get("id")), row.get("id"), "{lead} of {user}");
                let of_case = item.filter(|_| kind == "FILE").map(|item| item.get("reference"));
                assert!(of_case.is_none_or(|of_case| of_case == row.get("reference")), "reference of {lead} of {user}");
                expected.insert(lead);
            }
        }
        let compared = self.rows(user, "ANALYSIS#").filter(|row| row.contains_key("compared_with"));
        expected.extend(compared.map(|row| format!("COMPARISON#{:012}", numbered(row, "ANALYSIS#"))));
        let kinds = ["FILE#", "DOCUMENT#", "REFERENCE#", "COMPARISON#"];
        let leads = kinds.into_iter().flat_map(|kind| self.rows(user, kind)).map(|lead| text(lead, "sk"));
        assert_eq!(leads.collect::<BTreeSet<_>>(), expected, "what leads to analyses of {user}");
    }

    /// Checks that a user's analyses and the counted deleted numbers make up all numbers.
    ///
    /// # Panics
    /// When they do not.
    pub fn check_numbers(&self, user: &str) {
        let account = &self.items[&(format!("USER#{user}"), "ACCOUNT".to_owned())];
        let there = self.rows(user, "ANALYSIS#").map(|row| numbered(row, "ANALYSIS#")).collect();
        check_holes(user, account, number(account, "analyses"), &there);
    }

    /// At most one secret of each kind except password resets, of the account's past or present state.
    fn check_mails(&self, user: &str, account: &Item) {
        for mail in self.rows(user, "MAIL#") {
            let kind = text(mail, "sk");
            assert!(number(mail, "generation") <= number(account, "generation"), "{kind} of {user}");
            assert!(number(mail, "expires") > 0 && !text(mail, "email").is_empty(), "{kind} of {user}");
            let hash = mail.get("secret_sha256").and_then(|hash| hash.as_b().ok());
            let hash = hash.map(|hash| hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect::<String>());
            let reset = format!("MAIL#RESET#{}", hash.filter(|hash| hash.len() == 64).expect("a hash"));
            assert!(["MAIL#CONFIRM", "MAIL#ADDRESS", &reset].contains(&kind.as_str()), "{kind} of {user}");
        }
        let waits = account.contains_key("limit_when_confirmed");
        assert!(!waits || number(account, "daily_limit") == 0 && account.contains_key("unconfirmed"), "{user} waits");
    }

    fn check_analyses(&self, user: &str, account: &Item) {
        let rows: Vec<_> = self.rows(user, "ANALYSIS#").collect();
        let there: BTreeSet<u64> = rows.iter().map(|row| numbered(row, "ANALYSIS#")).collect();
        let apart: BTreeMap<u64, &Item> =
            self.rows(user, "METADATA#").map(|row| (numbered(row, "METADATA#"), row)).collect();
        for row in &rows {
            let finding = apart.get(&numbered(row, "ANALYSIS#"));
            assert_ne!(row.contains_key("finding"), finding.is_some(), "findings of {user}");
            let finding = self::finding(finding.unwrap_or(row));
            assert!(finding["metadata"].is_object() || finding["comparison"].is_object(), "finding of {user}");
        }
        assert!(apart.keys().all(|number| there.contains(number)), "findings of {user} without analyses");
        let given = number(account, "analyses");
        check_holes(user, account, given, &there);
        let mut by_day: BTreeMap<String, u64> = BTreeMap::new();
        for row in &rows {
            *by_day.entry(text(row, "analyzed_at")[..10].to_owned()).or_default() += checks(row);
        }
        // one that is gone may have been a comparison, if there ever was one
        let heaviest = if account.contains_key("count_compared") { 2 } else { 1 };
        let (mut counted, gone) = (0, given - there.len() as u64);
        let (stored, deleted) = (rows.iter().map(|row| checks(row)).sum::<u64>(), heaviest * gone);
        for name in account.keys() {
            let Some(date) = name.strip_prefix("used:") else { continue };
            let used = number(account, name);
            let left = by_day.remove(date).unwrap_or(0);
            assert!((left..=left + deleted).contains(&used), "used of {user} on {date}: {used}, {left} left");
            counted += used;
            assert!((1..=number(account, "daily_limit")).contains(&used), "limit of {user}");
        }
        for day in self.rows(user, "DAY#") {
            assert!(!day.contains_key("used"), "a count of {user} in the row of a day");
            let open = day.keys().filter(|name| name.starts_with("ticket:")).count() as u64;
            let given = number(day, "tickets");
            assert!(open <= 5 && open <= given, "{open} of {given} tickets of {user} are open");
            assert!(given <= 2 * number(account, "daily_limit"), "tickets of {user}");
        }
        assert!(by_day.is_empty(), "uncounted analyses of {user}: {by_day:?}");
        assert!(
            (stored + gone..=stored + deleted).contains(&counted),
            "what was counted of {user} on all days: {counted}"
        );
        let mut answered = BTreeSet::new();
        for request in self.rows(user, "REQUEST#") {
            let of = number(request, "number");
            assert!((1..=given).contains(&of), "request of {user} without analysis");
            answered.insert((of, text(request, "sk")));
        }
    }
}

/// The finding in an entry's row or in its own.
fn finding(row: &Item) -> Value {
    let stored = row["finding"].as_b().unwrap().as_ref();
    serde_json::from_slice(&shared::store::finding_json(stored).unwrap()).unwrap()
}

/// An entry's cost in the daily quota: a comparison 2, an analysis 1.
fn checks(row: &Item) -> u64 {
    1 + u64::from(row.contains_key("compared_with"))
}

/// Checks that the numbers that are not `there` equal the account's deleted counts, block by block.
fn check_holes(user: &str, account: &Item, given: u64, there: &BTreeSet<u64>) {
    let dropped = number(account, "first_block");
    let mut counted: BTreeMap<u64, u64> = (0..dropped).map(|block| (block, 256)).collect();
    if let Some(holes) = account.get("holes") {
        for (block, holes) in holes.as_m().unwrap() {
            counted.insert(block.parse().unwrap(), holes.as_n().unwrap().parse().unwrap());
        }
    }
    let mut holes = BTreeMap::new();
    for number in (1..=given).filter(|number| !there.contains(number)) {
        *holes.entry((number - 1) / 256).or_default() += 1_u64;
    }
    assert_eq!(counted, holes, "holes of {user}");
    assert!(there.last().is_none_or(|newest| *newest <= given), "numbers of {user} beyond {given}");
    assert!(holes.len() as u64 <= 2_000 + dropped, "blocks with holes of {user}");
}

/// The partition of the index item of an analysis' link, if it has one.
fn share(row: &Item) -> Option<String> {
    Some(format!("SHARE#{}", hexadecimal(row.get("share_sha256")?)))
}

fn hexadecimal(bytes: &AttributeValue) -> String {
    bytes.as_b().unwrap().as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The number in an item's sort key.
fn numbered(item: &Item, prefix: &str) -> u64 {
    text(item, "sk").strip_prefix(prefix).unwrap().parse().unwrap()
}

/// Checks that every acknowledged analysis can be read and is what was answered.
///
/// # Panics
/// When one is missing or different.
pub async fn all_readable(api: &crate::api::Api, acknowledged: &[Value]) {
    for data in acknowledged {
        let id = data["id"].as_str().unwrap();
        let answer = api.get(&format!("/pdf/{id}")).await.expect(200);
        assert_eq!(&answer.json["data"], data);
    }
}

fn text(item: &Item, name: &str) -> String {
    item.get(name).and_then(|value| value.as_s().ok()).cloned().unwrap_or_default()
}

fn number(item: &Item, name: &str) -> u64 {
    item.get(name).and_then(|value| value.as_n().ok()).and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// An item as text, by the names of its attributes.
fn sorted(item: &Item) -> String {
    let named: BTreeMap<_, _> = item.iter().collect();
    let shown = named.into_iter().map(|(name, value)| match name.as_str() {
        // compressed
        "finding" => format!("{name:?}: {}", finding(item)),
        _ => format!("{name:?}: {}", shown(value)),
    });
    let shown: Vec<String> = shown.collect();
    format!("{{{}}}", shown.join(", "))
}

/// A value as text, whatever order a map within it has.
fn shown(value: &AttributeValue) -> String {
    match value {
        AttributeValue::M(map) => sorted(map),
        AttributeValue::L(list) => format!("{:?}", list.iter().map(shown).collect::<Vec<_>>()),
        other => format!("{other:?}"),
    }
}

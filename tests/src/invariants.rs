//! What has to be true of the table and the bucket after anything, read beside the service.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::Value;

use crate::service::TestService;

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
        let sorted = items.map(|(key, item)| (key, item.iter().collect::<BTreeMap<_, _>>()));
        sorted.map(|(key, item)| format!("{key:?} {item:?}\n")).collect()
    }

    /// One user's rows as text.
    #[must_use]
    pub fn text_of(&self, user: &str) -> String {
        self.rows(user, "").map(|item| format!("{:?}\n", item.iter().collect::<BTreeMap<_, _>>())).collect()
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

    /// Checks every account: counters equal rows, numbers without gaps, nothing orphaned.
    ///
    /// # Panics
    /// When one of them does not hold.
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
            self.check_mails(user, account);
            let tokens = self.rows(user, "TOKEN#").count() as u64;
            assert_eq!(number(account, "tokens"), tokens, "tokens of {user}");
            let email = (format!("EMAIL#{}", text(account, "email").to_lowercase()), "EMAIL".to_owned());
            let owner = self.items.get(&email).map(|item| text(item, "user"));
            assert_eq!(owner.as_deref(), Some(user), "e-mail of {user}");
        }
        for (pk, _) in self.items.keys().filter(|(_, sk)| sk == "EMAIL") {
            let owner = text(&self.items[&(pk.clone(), "EMAIL".to_owned())], "user");
            assert!(self.items.contains_key(&(format!("USER#{owner}"), "ACCOUNT".to_owned())), "orphan {pk}");
        }
    }

    /// One secret of each kind at most, of the account's past or present.
    fn check_mails(&self, user: &str, account: &Item) {
        for mail in self.rows(user, "MAIL#") {
            let kind = text(mail, "sk");
            assert!(["MAIL#CONFIRM", "MAIL#RESET", "MAIL#ADDRESS"].contains(&kind.as_str()), "{kind} of {user}");
            assert!(number(mail, "generation") <= number(account, "generation"), "{kind} of {user}");
            assert!(number(mail, "expires") > 0 && !text(mail, "email").is_empty(), "{kind} of {user}");
            let hash = mail.get("secret_sha256").and_then(|hash| hash.as_b().ok());
            assert!(hash.is_some_and(|hash| hash.as_ref().len() == 32), "{kind} of {user}");
        }
        let waits = account.contains_key("limit_when_confirmed");
        assert!(!waits || number(account, "daily_limit") == 0 && account.contains_key("unconfirmed"), "{user} waits");
    }

    fn check_analyses(&self, user: &str, account: &Item) {
        let rows: Vec<_> = self.rows(user, "ANALYSIS#").collect();
        assert_eq!(number(account, "analyses"), rows.len() as u64, "analyses of {user}");
        let mut by_day: BTreeMap<String, u64> = BTreeMap::new();
        for (index, row) in rows.iter().enumerate() {
            assert_eq!(text(row, "sk"), format!("ANALYSIS#{:012}", index + 1), "gap in {user}");
            *by_day.entry(text(row, "analyzed_at")[..10].to_owned()).or_default() += 1;
        }
        let metadata: Vec<_> = self.rows(user, "METADATA#").map(|row| text(row, "sk")).collect();
        let expected: Vec<_> = (1..=rows.len()).map(|number| format!("METADATA#{number:012}")).collect();
        assert_eq!(metadata, expected, "metadata of {user}");
        for day in self.rows(user, "DAY#") {
            let date = text(day, "sk").trim_start_matches("DAY#").to_owned();
            let used = number(day, "used");
            assert_eq!(used, by_day.remove(&date).unwrap_or(0), "used of {user} on {date}");
            assert!(used <= number(account, "daily_limit"), "limit of {user}");
            let open = day.keys().filter(|name| name.starts_with("ticket:")).count() as u64;
            let given = number(day, "tickets");
            assert!(open <= 5 && open <= given, "{open} of {given} tickets of {user} are open");
            assert!(given <= 2 * number(account, "daily_limit"), "tickets of {user}");
        }
        assert!(by_day.is_empty(), "uncounted analyses of {user}: {by_day:?}");
        let mut answered = BTreeSet::new();
        for request in self.rows(user, "REQUEST#") {
            let of = number(request, "number");
            assert!((1..=rows.len() as u64).contains(&of), "request of {user} without analysis");
            answered.insert((of, text(request, "sk")));
        }
    }
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

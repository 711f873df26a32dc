//! The batch stack's planner and worker on the embedded bucket: every version of an object gets one row despite
//! failures.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use aws_sdk_s3::Client;
use batch::row::COLUMNS;
use batch::{Batch, BatchError, Config};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Value, json};
use server::{Options, Service};
use shared::deadline::Remaining;
use tests::template::{actions, parsed, tree};
use tests::wire::{Fault, Wire};

const TEMPLATE: &str = include_str!("../../batch/template.yaml");
const BOUNDARY: &str = include_str!("../../.github/aws/batch-boundary-policy.json");

/// A bucket, and the function on it.
struct Stack {
    service: Service,
    client: Client,
    wire: Wire,
    batch: Batch,
}

impl Stack {
    async fn start() -> Self {
        let service = Service::start(Options::default()).await.unwrap();
        let wire = Wire::default();
        let config = service.s3().config();
        let http = wire.wrap(config.http_client().unwrap());
        let client = Client::from_conf(config.to_builder().http_client(http).build());
        let bucket = service.template().bucket.name.clone();
        let config = Config {
            source_bucket: bucket.clone(),
            source_prefix: "claims/".to_owned(),
            output_bucket: bucket,
            output_prefix: "out/".to_owned(),
            any_name: false,
            tags_objects: false,
        };
        let batch = Batch::new(client.config(), config);
        Self { service, client, wire, batch }
    }

    fn bucket(&self) -> &str {
        &self.service.template().bucket.name
    }

    async fn put(&self, key: &str, body: impl Into<Vec<u8>>) {
        let put = self.service.s3().put_object().bucket(self.bucket()).key(key);
        put.body(body.into().into()).send().await.unwrap();
    }

    /// `count` PDFs that differ in a byte behind their end.
    async fn fill(&self, count: usize) {
        for number in 0..count {
            let file = [samples::small::pdf("A claim"), number.to_string().into_bytes()].concat();
            self.put(&format!("claims/{number:04}.pdf"), file).await;
        }
    }

    async fn task(&self, task: Value) -> Result<Value, BatchError> {
        let remaining = Remaining::until(SystemTime::now() + Duration::from_secs(900));
        self.batch.answer(task, remaining).await
    }

    /// Plans all steps; the keys of the shards.
    async fn plan(&self, run: &str) -> Vec<String> {
        let mut cursor = Value::Null;
        loop {
            let planned = self.task(json!({ "task": "plan", "run": run, "cursor": cursor })).await.unwrap();
            cursor = planned["cursor"].clone();
            if cursor.is_null() {
                return self.keys(&format!("out/plans/{run}/")).await;
            }
        }
    }

    async fn run(&self, run: &str) -> Value {
        for shard in self.plan(run).await {
            self.task(json!({ "task": "work", "run": run, "shard": shard })).await.unwrap();
        }
        self.task(json!({ "task": "finish", "run": run })).await.unwrap()
    }

    async fn keys(&self, prefix: &str) -> Vec<String> {
        let listed = self.service.s3().list_objects_v2().bucket(self.bucket()).prefix(prefix).send().await.unwrap();
        listed.contents().iter().map(|object| object.key().unwrap().to_owned()).collect()
    }

    async fn read(&self, key: &str) -> Vec<u8> {
        let object = self.service.s3().get_object().bucket(self.bucket()).key(key).send().await.unwrap();
        object.body.collect().await.unwrap().to_vec()
    }

    /// How many rows there are of each version: key and ETag.
    async fn versions(&self) -> BTreeMap<(String, String), usize> {
        let mut versions = BTreeMap::new();
        for name in self.keys("out/rows/").await {
            let file = SerializedFileReader::new(bytes::Bytes::from(self.read(&name).await)).unwrap();
            for row in file.get_row_iter(None).unwrap() {
                let row: BTreeMap<String, Field> = row.unwrap().into_columns().into_iter().collect();
                let text = |column: &str| match &row[column] {
                    Field::Str(text) => text.clone(),
                    other => panic!("{column} is {other:?}"),
                };
                *versions.entry((text("key"), text("etag"))).or_default() += 1;
            }
        }
        versions
    }

    /// Key and reason of each line of `folder`.
    async fn reasons(&self, folder: &str) -> BTreeMap<String, String> {
        let mut reasons = BTreeMap::new();
        for name in self.keys(&format!("out/{folder}/")).await {
            for line in String::from_utf8(self.read(&name).await).unwrap().lines() {
                let line: Value = serde_json::from_str(line).unwrap();
                reasons.insert(line["key"].as_str().unwrap().to_owned(), line["reason"].as_str().unwrap().to_owned());
            }
        }
        reasons
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_stopped_leaves_nothing_and_a_repeated_one_changes_nothing() {
    let stack = Stack::start().await;
    stack.fill(260).await;
    stack.put("claims/none.pdf", b"no PDF").await;
    stack.put("claims/notes.txt", b"not selected").await;
    let shards = stack.plan("first").await;
    assert_eq!(shards.len(), 2);
    for shard in &shards {
        let work = json!({ "task": "work", "run": "first", "shard": shard });
        for stopped_after in [5, 40, 120] {
            let stopped = tokio::time::timeout(Duration::from_millis(stopped_after), stack.task(work.clone())).await;
            assert!(stopped.is_err() || stopped_after > 5, "nothing was stopped");
        }
        let done = stack.task(work.clone()).await.unwrap();
        assert_eq!(stack.task(work).await.unwrap(), done, "repeated");
    }
    let sum = stack.task(json!({ "task": "finish", "run": "first" })).await.unwrap();
    let counted =
        (&sum["counts"]["objects"], &sum["counts"]["rows"], &sum["counts"]["failures"], &sum["missing_shards"]);
    assert_eq!(counted, (&json!(261), &json!(260), &json!(1), &json!(0)));
    let versions = stack.versions().await;
    assert!(versions.len() == 260 && versions.values().all(|count| *count == 1), "{versions:?}");
    assert_eq!(stack.reasons("failures").await, [("claims/none.pdf".to_owned(), "not_a_pdf".to_owned())].into());
}

#[tokio::test]
async fn the_next_run_reads_what_is_new_or_changed_and_nothing_else() {
    let stack = Stack::start().await;
    stack.fill(10).await;
    assert_eq!(stack.run("first").await["counts"]["rows"], 10);
    assert_eq!(stack.run("second").await["counts"]["objects"], 0);
    stack.put("claims/0003.pdf", samples::small::pdf("A claim")).await;
    stack.put("claims/0003a.pdf", samples::small::pdf("A claim")).await;
    let gone = stack.service.s3().delete_object().bucket(stack.bucket()).key("claims/0004.pdf");
    gone.send().await.unwrap();
    assert_eq!(stack.run("third").await["counts"]["rows"], 2);
    assert_eq!(stack.run("fourth").await["counts"]["objects"], 0);
    let versions = stack.versions().await;
    assert!(versions.len() == 12 && versions.values().all(|count| *count == 1), "{versions:?}");
}

#[tokio::test]
async fn an_object_that_cannot_be_read_is_tried_again_by_the_next_run() {
    let stack = Stack::start().await;
    stack.fill(3).await;
    let shards = stack.plan("first").await;
    // the shard's own list is read first
    let reads = AtomicUsize::new(0);
    stack.wire.plan(move |call| {
        let is_object = call.operation == "GetObject" && reads.fetch_add(1, Ordering::Relaxed) > 0;
        if is_object { Fault::Refused(403, "AccessDenied") } else { Fault::None }
    });
    let counts = stack.task(json!({ "task": "work", "run": "first", "shard": shards[0] })).await.unwrap();
    assert_eq!((&counts["rows"], &counts["retries"]), (&json!(0), &json!(3)));
    stack.wire.heal();
    stack.task(json!({ "task": "finish", "run": "first" })).await.unwrap();
    assert!(stack.reasons("retries").await.values().all(|reason| reason == "access_denied"));
    assert_eq!(stack.run("second").await["counts"]["rows"], 3);
    assert_eq!(stack.run("third").await["counts"]["objects"], 0);
    assert_eq!(stack.versions().await.len(), 3);
}

#[tokio::test]
async fn requests_that_s3_throttles_are_tried_until_it_answers() {
    let stack = Stack::start().await;
    stack.fill(5).await;
    let shards = stack.plan("first").await;
    // after the shard's own list; one of five objects is refused more often than a client tries by default
    let reads = AtomicUsize::new(0);
    stack.wire.plan(move |call| {
        let is_refused = call.operation == "GetObject" && (1..=16).contains(&reads.fetch_add(1, Ordering::Relaxed));
        if is_refused { Fault::Refused(503, "SlowDown") } else { Fault::None }
    });
    let counts = stack.task(json!({ "task": "work", "run": "first", "shard": shards[0] })).await.unwrap();
    assert_eq!((&counts["rows"], &counts["retries"]), (&json!(5), &json!(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_object_costs_itself() {
    let stack = Stack::start().await;
    stack.fill(3).await;
    for (number, name) in ["50 object streams of 15 MiB", "LZW of 100 MiB", "100,000 filters"].iter().enumerate() {
        stack.put(&format!("claims/hostile-{number}.pdf"), samples::hostile::named(name).make()).await;
    }
    let counts = &stack.run("first").await["counts"];
    assert_eq!((&counts["objects"], &counts["retries"]), (&json!(6), &json!(0)));
    let (versions, failed) = (stack.versions().await, stack.reasons("failures").await);
    assert_eq!(versions.len() + failed.len(), 6);
    assert!((0..3).all(|number| !failed.contains_key(&format!("claims/{number:04}.pdf"))), "{failed:?}");
}

#[tokio::test]
async fn an_object_that_changes_between_plan_and_work_has_no_row_of_its_old_version() {
    let stack = Stack::start().await;
    stack.fill(2).await;
    let shards = stack.plan("first").await;
    stack.put("claims/0001.pdf", samples::small::pdf("A claim")).await;
    let counts = stack.task(json!({ "task": "work", "run": "first", "shard": shards[0] })).await.unwrap();
    assert_eq!((&counts["rows"], &counts["failures"]), (&json!(1), &json!(1)));
    assert_eq!(stack.reasons("failures").await["claims/0001.pdf"], "changed_since_listing");
    stack.task(json!({ "task": "finish", "run": "first" })).await.unwrap();
    assert_eq!(stack.run("second").await["counts"]["rows"], 1);
}

#[tokio::test]
async fn two_runs_do_not_work_on_one_output() {
    let stack = Stack::start().await;
    stack.fill(1).await;
    stack.plan("first").await;
    let refused = stack.task(json!({ "task": "plan", "run": "second", "cursor": null })).await.unwrap_err();
    assert!(matches!(&refused, BatchError::Locked(run) if run == "first"), "{refused}");
    // the same run, begun again, goes on
    stack.plan("first").await;
    stack.task(json!({ "task": "finish", "run": "first" })).await.unwrap();
    stack.plan("second").await;
}

#[tokio::test]
async fn a_new_object_has_its_row_before_the_next_run() {
    let stack = Stack::start().await;
    stack.fill(2).await;
    let head = stack.client.head_object().bucket(stack.bucket()).key("claims/0000.pdf").send().await.unwrap();
    let object = json!({
        "key": "claims/0000.pdf", "size": head.content_length(), "etag": head.e_tag().unwrap().trim_matches('"'),
    });
    let event = json!({ "detail-type": "Object Created", "detail": { "bucket": { "name": "b" }, "object": object } });
    let answer = stack.task(event.clone()).await.unwrap();
    assert_eq!((&answer["key"], &answer["verdict"]), (&json!("claims/0000.pdf"), &json!("no_signs")));
    assert_eq!(stack.task(event).await.unwrap(), answer, "delivered twice");
    assert_eq!(stack.run("first").await["counts"]["rows"], 1);
    let versions = stack.versions().await;
    assert!(versions.len() == 2 && versions.values().all(|count| *count == 1), "{versions:?}");
}

/// Roles are made for functions and the state machine.
#[test]
fn each_role_of_the_stack_stays_within_its_boundary() {
    let (service, stack) = (tree(), parsed(TEMPLATE));
    let boundary = &service["Globals"]["Function"]["PermissionsBoundary"];
    assert!(boundary["!If"].is_array());
    assert_eq!(&stack["Globals"]["Function"]["PermissionsBoundary"], boundary);
    assert_eq!(stack["Conditions"]["HasBoundary"], service["Conditions"]["HasBoundary"]);
    let pattern = |tree: &Value| tree["Parameters"]["PermissionsBoundary"]["AllowedPattern"].clone();
    assert_eq!(pattern(&stack), pattern(&service));
    let policy: Value = serde_json::from_str(BOUNDARY).unwrap();
    let statements = policy["Statement"].as_array().unwrap().iter();
    let within: BTreeSet<&str> = statements
        .flat_map(|statement| statement["Action"].as_array().unwrap())
        .map(|action| action.as_str().unwrap())
        .collect();
    assert!(within.iter().all(|action| !action.starts_with("iam:") && !action.contains('*')), "{within:?}");
    for (id, resource) in stack["Resources"].as_object().unwrap() {
        let properties = &resource["Properties"];
        match resource["Type"].as_str().unwrap() {
            "AWS::Serverless::StateMachine" => assert_eq!(&properties["PermissionsBoundary"], boundary, "{id}"),
            "AWS::IAM::Role" => panic!("{id}: say here how it is bounded"),
            _ => assert!(properties.get("PermissionsBoundary").is_none(), "{id}"),
        }
        let given = actions(&properties["Policies"]);
        assert!(given.iter().all(|action| within.contains(action.as_str())), "{id}: {given:?}");
    }
}

#[test]
fn the_stacks_table_has_the_columns_of_the_rows() {
    let template: yaml_serde::Value = yaml_serde::from_str(TEMPLATE).unwrap();
    let table = &template["Resources"]["Files"]["Properties"]["TableInput"]["StorageDescriptor"]["Columns"];
    let text = |value: &yaml_serde::Value| value.as_str().unwrap().to_owned();
    let declared: Vec<(String, String)> =
        table.as_sequence().unwrap().iter().map(|column| (text(&column["Name"]), text(&column["Type"]))).collect();
    let written: Vec<(String, String)> =
        COLUMNS.iter().map(|column| (column.name.to_owned(), column.kind.athena().to_owned())).collect();
    assert_eq!(declared, written);
}

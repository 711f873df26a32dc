//! What `template.yaml` promises and the local server does not act on: protection, limits, logs.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use server::template::{TEXT, Template};
use shared::platform::Config;
use tests::service::TestService;
use tests::template::{resources, tree};

/// The only resource of a type.
fn one(kind: &str) -> Value {
    let mut found = resources(kind);
    assert_eq!(found.len(), 1, "{kind}");
    found.remove(0).1
}

#[test]
fn the_environment_is_what_the_functions_read() {
    // what the runtime and the SDK read by themselves
    let others = ["LOG_LEVEL", "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_S3"];
    let read = RefCell::new(BTreeSet::from(others.map(str::to_owned)));
    let config = Config::read(|name| {
        read.borrow_mut().insert(name.to_owned());
        Some(if name == "REGISTRATION" { "open" } else { "1" }.to_owned())
    });
    config.unwrap();
    for function in Template::parse(TEXT).unwrap().functions {
        assert_eq!(
            function.environment.into_keys().collect::<BTreeSet<_>>(),
            *read.borrow(),
            "{}",
            function.logical_id
        );
    }
}

#[test]
fn functions_answer_before_the_gateway_gives_up() {
    for function in Template::parse(TEXT).unwrap().functions {
        assert!(function.timeout < Duration::from_secs(30), "{}", function.logical_id);
    }
}

#[test]
fn policies_name_this_table_and_these_objects_only() {
    for (id, properties) in resources("AWS::Serverless::Function") {
        for statement in properties["Policies"][0]["Statement"].as_array().unwrap() {
            let actions = statement["Action"].as_array().unwrap();
            let actions: Vec<_> = actions.iter().map(|action| action.as_str().unwrap()).collect();
            assert!(actions.iter().all(|action| !action.contains('*')), "{id}");
            let resource = if actions[0].starts_with("s3:") {
                assert!(["PdfFunction", "WebFunction"].contains(&id.as_str()), "{id}");
                json!({ "!Sub": "${Uploads.Arn}/uploads/*" })
            } else {
                json!({ "!GetAtt": "Table.Arn" })
            };
            assert_eq!(statement["Resource"], resource, "{id}");
        }
    }
}

#[tokio::test]
async fn the_table_is_protected_and_forgets_what_expires() {
    let table = one("AWS::DynamoDB::Table");
    assert_eq!(table["BillingMode"], "PAY_PER_REQUEST");
    assert_eq!(table["DeletionProtectionEnabled"], true);
    assert_eq!(table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"], true);
    assert_eq!(table["SSESpecification"]["SSEEnabled"], true);
    assert_eq!(tree()["Resources"]["Table"]["DeletionPolicy"], "Retain");
    assert_eq!(tree()["Resources"]["Table"]["UpdateReplacePolicy"], "Retain");

    // the attribute is the one that rows really have
    let service = TestService::start().await;
    service.account("ada").await.analyze_once("k", "a.pdf", samples::small::pdf("A")).await.expect(200);
    let name = &service.service().template().table.name;
    let rows = service.service().dynamodb().scan().table_name(name).send().await.unwrap();
    let attribute = table["TimeToLiveSpecification"]["AttributeName"].as_str().unwrap();
    assert!(rows.items().iter().any(|row| row.contains_key(attribute)));
    assert_eq!(table["TimeToLiveSpecification"]["Enabled"], true);
}

#[test]
fn the_bucket_is_private_encrypted_and_emptied() {
    let bucket = one("AWS::S3::Bucket");
    let block = bucket["PublicAccessBlockConfiguration"].as_object().unwrap();
    assert_eq!(block.len(), 4);
    assert!(block.values().all(|flag| flag == true));
    let rule = &bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"][0];
    assert_eq!(rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"], "AES256");
    let leftovers = &bucket["LifecycleConfiguration"]["Rules"][0];
    assert_eq!((&leftovers["Status"], &leftovers["ExpirationInDays"]), (&json!("Enabled"), &json!(1)));
    assert_eq!(leftovers["AbortIncompleteMultipartUpload"]["DaysAfterInitiation"], 1);
    let policy = one("AWS::S3::BucketPolicy");
    assert_eq!(policy["Bucket"], json!({ "!Ref": "Uploads" }));
    let deny = &policy["PolicyDocument"]["Statement"][0];
    assert_eq!((&deny["Effect"], &deny["Action"], &deny["Principal"]), (&json!("Deny"), &json!("s3:*"), &json!("*")));
    assert_eq!(deny["Condition"]["Bool"]["aws:SecureTransport"], "false");
}

#[test]
fn logs_are_kept_for_a_time_and_carry_no_header_query_or_body() {
    let groups = resources("AWS::Logs::LogGroup");
    assert_eq!(groups.len(), 2);
    assert!(groups.iter().all(|(_, group)| group["RetentionInDays"] == json!({ "!Ref": "LogRetentionDays" })));
    let format = one("AWS::Serverless::HttpApi")["AccessLogSettings"]["Format"].as_str().unwrap().to_owned();
    let format: Value = serde_json::from_str(&format).unwrap();
    let harmless = [
        "requestTime",
        "requestId",
        "identity.sourceIp",
        "routeKey",
        "status",
        "responseLength",
        "responseLatency",
        "integrationLatency",
        "error.message",
        "integrationErrorMessage",
    ];
    for variable in format.as_object().unwrap().values() {
        let name = variable.as_str().unwrap().strip_prefix("$context.").unwrap();
        assert!(harmless.contains(&name), "{name}");
    }
}

#[test]
fn the_dashboard_is_json_and_shows_metrics_that_exist() {
    let dashboard = one("AWS::CloudWatch::Dashboard");
    let text = dashboard["DashboardBody"]["!Sub"].as_str().unwrap();
    let body: Value = serde_json::from_str(text).unwrap();
    assert!(body["widgets"].as_array().unwrap().len() >= 6);
    for metric in ["Analyses", "AnalysisFailures", "QuotaRefusals", "Latency", "AnalysisLatency"] {
        assert!(text.contains(&format!("\"{metric}\"")) || text.contains(&format!("\\\"{metric}\\\"")), "{metric}");
    }
}

#[test]
fn the_container_is_built_with_every_member_of_the_workspace() {
    let ignored = include_str!("../../.dockerignore");
    let members = include_str!("../../Cargo.toml").lines().find(|line| line.starts_with("members = ")).unwrap();
    // between quotes
    let members: Vec<_> = members.split('"').skip(1).step_by(2).collect();
    assert!(members.contains(&"server"));
    for member in members {
        let within = |line: &str| member == line || member.starts_with(&format!("{line}/"));
        assert!(!ignored.lines().any(within), "{member} is in .dockerignore");
    }
}

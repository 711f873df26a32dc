//! What `template.yaml` promises and the local server does not act on: protection, limits, logs.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use server::template::{TEXT, Template};
use shared::mail::Mail;
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
    let of_mail = RefCell::new(BTreeSet::new());
    let _ = Mail::read(|name| {
        of_mail.borrow_mut().insert(name.to_owned());
        Some("1".to_owned())
    });
    for function in Template::parse(TEXT).unwrap().functions {
        // nobody else sends mail, or is to know the mail server's password
        let mut expected = read.borrow().clone();
        match function.binary.as_str() {
            "web" => expected.extend(of_mail.borrow().iter().cloned()),
            // one makes links to reports, the other tells its pages from those of strangers
            "pdf" | "mcp" => expected.extend(["CONSOLE_ORIGIN".to_owned()]),
            _ => {}
        }
        // the others analyse nothing
        if !ANALYSING.contains(&function.logical_id.as_str()) {
            expected.remove("TRUSTED_ISSUERS");
        }
        let declared: BTreeSet<_> = function.environment.into_keys().collect();
        assert_eq!(declared, expected, "{}", function.logical_id);
    }
}

/// The functions that analyse files.
const ANALYSING: [&str; 3] = ["PdfFunction", "WebFunction", "McpFunction"];

#[test]
fn mail_is_set_as_a_whole_and_its_password_is_not_shown() {
    let tree = tree();
    let url = &tree["Parameters"]["MailUrl"];
    assert_eq!((&url["NoEcho"], &url["Default"]), (&json!(true), &json!("")));
    let none = |parameter: &str| json!({ "!Equals": [{ "!Ref": parameter }, ""] });
    let there = |parameter: &str| json!({ "!Not": [none(parameter)] });
    let rules = &tree["Rules"];
    assert_eq!(rules["MailHasASender"]["RuleCondition"], there("MailUrl"));
    assert_eq!(rules["MailHasASender"]["Assertions"][0]["Assert"], there("MailFrom"));
    assert_eq!(
        rules["ConfirmedNeedsMail"]["RuleCondition"],
        json!({ "!Equals": [{ "!Ref": "Registration" }, "confirmed"] })
    );
    assert_eq!(rules["ConfirmedNeedsMail"]["Assertions"][0]["Assert"], there("MailUrl"));
    assert_eq!(resources("AWS::Serverless::Function").len(), 5);
    let text = serde_json::to_string(&tree["Outputs"]).unwrap();
    assert!(!text.contains("MailUrl"));
}

/// Requests do not send mails: without it, none would go out.
#[test]
fn mails_go_by_a_schedule_of_the_function_that_has_the_mail_server() {
    let tree = tree();
    let expected = json!({
        "Type": "ScheduleV2",
        "Properties": {
            "OmitName": true,
            "ScheduleExpression": "rate(1 minute)",
            "State": { "!If": ["SendsMail", "ENABLED", "DISABLED"] },
            "RetryPolicy": { "MaximumRetryAttempts": 0 },
        },
    });
    assert_eq!(tree["Resources"]["WebFunction"]["Properties"]["Events"]["Mails"], expected);
    assert_eq!(tree["Conditions"]["SendsMail"], json!({ "!Not": [{ "!Equals": [{ "!Ref": "MailUrl" }, ""] }] }));
}

/// CloudFormation makes each resource with the rights of whoever deploys.
#[test]
fn whoever_deploys_may_make_every_kind_of_resource() {
    let policy: Value = serde_json::from_str(include_str!("../../.github/aws/deploy-policy.json")).unwrap();
    let allowed: BTreeSet<_> = policy["Statement"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|statement| statement["Action"].as_array().unwrap())
        .map(|action| action.as_str().unwrap().split(':').next().unwrap().to_owned())
        .collect();
    let tree = tree();
    for (id, resource) in tree["Resources"].as_object().unwrap() {
        let needed: &[&str] = match resource["Type"].as_str().unwrap().split("::").nth(1).unwrap() {
            // functions with their roles and schedules, and the API
            "Serverless" => &["apigateway", "iam", "lambda", "scheduler"],
            "ApiGatewayV2" => &["apigateway"],
            "CertificateManager" => &["acm"],
            "CloudWatch" => &["cloudwatch"],
            "DynamoDB" => &["dynamodb"],
            "Logs" => &["logs"],
            "Route53" => &["route53"],
            "S3" => &["s3"],
            "SNS" => &["sns"],
            other => panic!("{id}: say here and in the policy what {other} needs"),
        };
        for service in needed {
            assert!(allowed.contains(*service), "{id} needs {service}");
        }
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
            let table = "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${Name}";
            let (arn, name) = match actions.as_slice() {
                ["s3:GetObject"] => ("arn:${AWS::Partition}:s3:::${Name}/trusted/*", bucket()),
                ["s3:ListBucket"] => ("arn:${AWS::Partition}:s3:::${Name}", bucket()),
                [first, ..] if first.starts_with("s3:") => ("arn:${AWS::Partition}:s3:::${Name}/uploads/*", bucket()),
                _ => (table, one_of_ours_or_theirs("Table")),
            };
            assert!(ANALYSING.contains(&id.as_str()) || arn == table, "{id}");
            assert_eq!(statement["Resource"], json!({ "!Sub": [arn, { "Name": name }] }), "{id}");
        }
    }
}

/// The table that the stack makes, or the one that a parameter names.
fn one_of_ours_or_theirs(kind: &str) -> Value {
    let (made, ours) = if kind == "Table" { ("MakesTable", "Table") } else { ("MakesBucket", "Uploads") };
    json!({ "!If": [made, { "!Ref": ours }, { "!Ref": format!("Existing{kind}") }] })
}

fn bucket() -> Value {
    one_of_ours_or_theirs("Bucket")
}

/// How a restored table is brought in: named by a parameter, it takes the place of the stack's own everywhere, and what
/// the stack made before is let go of, not deleted.
#[test]
fn a_table_and_a_bucket_that_are_there_can_take_the_place_of_the_stacks_own() {
    let tree = tree();
    for (kind, owned) in [("Table", &["Table"][..]), ("Bucket", &["Uploads", "UploadsPolicy"])] {
        let (made, existing) = (format!("Makes{kind}"), format!("Existing{kind}"));
        assert_eq!(tree["Parameters"][&existing]["Default"], "");
        assert_eq!(tree["Conditions"][&made], json!({ "!Equals": [{ "!Ref": existing }, ""] }));
        for id in owned {
            assert_eq!(tree["Resources"][*id]["Condition"], made, "{id}");
        }
        for policy in ["DeletionPolicy", "UpdateReplacePolicy"] {
            assert_eq!(tree["Resources"][owned[0]][policy], "Retain");
        }
        // whoever names the stack's own beside it would keep the stack from being deployed without it
        let mut elsewhere = tree.clone();
        for id in owned {
            elsewhere["Resources"].as_object_mut().unwrap().remove(*id);
        }
        let chosen = serde_json::to_string(&one_of_ours_or_theirs(kind)).unwrap();
        let rest = serde_json::to_string(&elsewhere).unwrap().replace(&chosen, "");
        let own = owned[0];
        let references = ["{\"!Ref\":\"OWN\"}", "\"!GetAtt\":\"OWN.", "${OWN}", "${OWN."];
        for reference in references.map(|reference| reference.replace("OWN", own)) {
            assert!(!rest.contains(&reference), "{reference}");
        }
    }
    let variables = &tree["Globals"]["Function"]["Environment"]["Variables"];
    assert_eq!(variables["TABLE_NAME"], one_of_ours_or_theirs("Table"));
    assert_eq!(variables["UPLOAD_BUCKET"], bucket());
    assert_eq!(tree["Outputs"]["TableName"]["Value"], one_of_ours_or_theirs("Table"));
    assert_eq!(tree["Outputs"]["UploadBucket"]["Value"], bucket());
}

/// CloudWatch's alarms may not use AWS's key for topics: an alarm of an encrypted topic reaches nobody.
#[test]
fn alarms_can_be_told() {
    let topic = one("AWS::SNS::Topic");
    assert_eq!(topic.get("KmsMasterKeyId"), None);
    assert_eq!(topic["Subscription"][0], json!({ "Protocol": "email", "Endpoint": { "!Ref": "AlarmEmail" } }));
    let told = json!([{ "!If": ["HasAlarmEmail", { "!Ref": "AlarmTopic" }, { "!Ref": "AWS::NoValue" }] }]);
    let alarms = resources("AWS::CloudWatch::Alarm");
    assert_eq!(alarms.len(), 5);
    for (id, alarm) in alarms {
        assert_eq!((&alarm["AlarmActions"], &alarm["OKActions"]), (&told, &told), "{id}");
    }
}

/// An origin is compared as it is: with a slash at its end it is nobody's.
#[test]
fn the_console_s_origin_is_one() {
    let pattern = tree()["Parameters"]["ConsoleOrigin"]["AllowedPattern"].as_str().unwrap().to_owned();
    let fitting = proptest::string::string_regex(&pattern).unwrap();
    proptest!(|(origin in fitting)| {
        let host = origin.strip_prefix("https://").unwrap_or_default();
        prop_assert!(origin == "*" || !host.is_empty() && !host.contains(['/', ',', ' ']), "{origin}");
    });
}

/// Each route would be metrics of its own, paid by the month.
#[test]
fn the_gateway_measures_itself_as_a_whole() {
    let settings = &one("AWS::Serverless::HttpApi")["DefaultRouteSettings"];
    assert_eq!(settings.get("DetailedMetricsEnabled"), None);
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
    let text = dashboard["DashboardBody"]["!Sub"][0].as_str().unwrap();
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

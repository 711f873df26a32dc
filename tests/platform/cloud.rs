//! Parts of `template.yaml` that the local server ignores: protection, limits, logs.

mod storage;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use server::template::{TEXT, Template};
use shared::mail::Mail;
use shared::platform::Config;
use tests::template::{allowed, resources, tree};

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
        // only this function sends mail and gets the mail server's password
        let mut expected = read.borrow().clone();
        match function.binary.as_str() {
            "web" => expected.extend(of_mail.borrow().iter().cloned()),
            // one creates links to reports, the other checks the origin of requests
            "pdf" | "mcp" => expected.extend(["CONSOLE_ORIGIN".to_owned()]),
            _ => {}
        }
        // the others analyze nothing
        if !ANALYSING.contains(&function.logical_id.as_str()) {
            expected.remove("TRUSTED_ISSUERS");
        }
        let declared: BTreeSet<_> = function.environment.into_keys().collect();
        assert_eq!(declared, expected, "{}", function.logical_id);
    }
}

/// The functions that analyze files.
const ANALYSING: [&str; 3] = ["PdfFunction", "WebFunction", "McpFunction"];

/// A parameter that is not empty.
fn there(parameter: &str) -> Value {
    json!({ "!Not": [{ "!Equals": [{ "!Ref": parameter }, ""] }] })
}

#[test]
fn a_mail_server_needs_a_sender() {
    let rule = &tree()["Rules"]["MailHasASender"];
    assert_eq!(rule["RuleCondition"], there("MailUrl"));
    assert_eq!(rule["Assertions"][0]["Assert"], there("MailFrom"));
}

#[test]
fn registration_with_a_confirmed_address_needs_a_mail_server() {
    let rule = &tree()["Rules"]["ConfirmedNeedsMail"];
    assert_eq!(rule["RuleCondition"], json!({ "!Equals": [{ "!Ref": "Registration" }, "confirmed"] }));
    assert_eq!(rule["Assertions"][0]["Assert"], there("MailUrl"));
}

#[test]
fn the_mail_server_s_password_is_not_shown() {
    let tree = tree();
    let url = &tree["Parameters"]["MailUrl"];
    assert_eq!((&url["NoEcho"], &url["Default"]), (&json!(true), &json!("")));
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
            "PermissionsBoundary": tree["Globals"]["Function"]["PermissionsBoundary"],
        },
    });
    assert_eq!(tree["Resources"]["WebFunction"]["Properties"]["Events"]["Mails"], expected);
    assert_eq!(tree["Conditions"]["SendsMail"], there("MailUrl"));
}

/// CloudFormation creates resources with the permissions of the deploying role.
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
            "Budgets" => &["budgets"],
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

/// Whoever deploys gives roles no right that the boundary does not have, and takes the boundary off none.
#[test]
fn a_role_that_is_deployed_stays_within_its_boundary() {
    let policy: Value = serde_json::from_str(include_str!("../../.github/aws/deploy-policy.json")).unwrap();
    for statement in policy["Statement"].as_array().unwrap() {
        let actions = statement["Action"].as_array().unwrap().iter().map(|action| action.as_str().unwrap());
        let bounded = &statement["Condition"]["StringEquals"]["iam:PermissionsBoundary"];
        for action in actions {
            assert!(action != "iam:*" && action != "acm:*" && action != "*", "{action}");
            assert_ne!(action, "iam:DeleteRolePermissionsBoundary");
            let gives =
                ["iam:CreateRole", "iam:PutRolePolicy", "iam:AttachRolePolicy", "iam:PutRolePermissionsBoundary"];
            let is_bounded = bounded == "arn:aws:iam::ACCOUNT:policy/pdf-analysis-boundary";
            assert!(!gives.contains(&action) || is_bounded, "{action}");
        }
    }
    let boundary: Value = serde_json::from_str(include_str!("../../.github/aws/boundary-policy.json")).unwrap();
    let within: BTreeSet<&str> = boundary["Statement"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|statement| statement["Action"].as_array().unwrap())
        .map(|action| action.as_str().unwrap())
        .collect();
    for (function, actions) in allowed() {
        assert!(actions.iter().all(|action| within.contains(action.as_str())), "{function}: {actions:?}");
    }
    assert!(within.iter().all(|action| !action.starts_with("iam:") && !action.contains('*')), "{within:?}");
}

#[test]
fn functions_answer_before_the_gateway_gives_up() {
    for function in Template::parse(TEXT).unwrap().functions {
        assert!(function.timeout < Duration::from_secs(30), "{}", function.logical_id);
    }
}

/// CloudWatch's alarms may not use AWS's key for topics: an alarm of an encrypted topic is not delivered.
#[test]
fn alarms_can_be_told() {
    let topic = one("AWS::SNS::Topic");
    assert_eq!(topic.get("KmsMasterKeyId"), None);
    assert_eq!(topic["Subscription"][0], json!({ "Protocol": "email", "Endpoint": { "!Ref": "AlarmEmail" } }));
    let told = json!([{ "!If": ["HasAlarmEmail", { "!Ref": "AlarmTopic" }, { "!Ref": "AWS::NoValue" }] }]);
    let alarms = resources("AWS::CloudWatch::Alarm");
    assert_eq!(alarms.len(), 10);
    for (id, alarm) in alarms {
        assert_eq!((&alarm["AlarmActions"], &alarm["OKActions"]), (&told, &told), "{id}");
    }
}

/// Requests succeed while mails fail: only the log says so.
#[test]
fn mails_that_fail_raise_an_alarm() {
    let filter = one("AWS::Logs::MetricFilter");
    let messages: Vec<_> = filter["FilterPattern"].as_str().unwrap().split('"').skip(1).step_by(2).collect();
    assert_eq!(messages.len(), 2);
    let logged = include_str!("../../functions/web/src/outbox.rs");
    for message in messages {
        assert!(logged.contains(&format!("tracing::warn!(%cause, \"{message}\")")), "{message}");
    }
    let metric = &filter["MetricTransformations"][0];
    let alarm = resources("AWS::CloudWatch::Alarm").into_iter().find(|(id, _)| id == "MailFails").unwrap().1;
    assert_eq!((&alarm["Namespace"], &alarm["MetricName"]), (&metric["MetricNamespace"], &metric["MetricName"]));
    for id in ["MailFails", "MailFailures"] {
        assert_eq!(tree()["Resources"][id]["Condition"], "SendsMail", "{id}");
    }
}

/// Without invocations nothing is logged.
#[test]
fn a_schedule_of_mails_that_does_not_run_raises_an_alarm() {
    let (_, alarm) = resources("AWS::CloudWatch::Alarm").into_iter().find(|(id, _)| id == "MailScheduleFails").unwrap();
    assert_eq!(tree()["Resources"]["MailScheduleFails"]["Condition"], "SendsMail");
    assert_eq!(alarm["Metrics"][0]["Expression"], "FILL(received,0)-FILL(dropped,0)");
    for (index, name) in [(1, "AsyncEventsReceived"), (2, "AsyncEventsDropped")] {
        let metric = &alarm["Metrics"][index]["MetricStat"]["Metric"];
        assert_eq!((&metric["Namespace"], &metric["MetricName"]), (&json!("AWS/Lambda"), &json!(name)));
        let web = json!([{ "Name": "FunctionName", "Value": { "!Ref": "WebFunction" } }]);
        assert_eq!(metric["Dimensions"], web);
    }
    let rule = (&alarm["ComparisonOperator"], &alarm["TreatMissingData"], &alarm["EvaluationPeriods"]);
    assert_eq!(rule, (&json!("LessThanOrEqualToThreshold"), &json!("breaching"), &json!(3)));
}

/// CloudWatch computes a sum only where each metric has a data point.
#[test]
fn a_function_that_nobody_calls_mutes_no_alarm() {
    for (id, alarm) in resources("AWS::CloudWatch::Alarm") {
        for metric in alarm["Metrics"].as_array().into_iter().flatten() {
            let expression = metric["Expression"].as_str().unwrap_or_default();
            let summed = expression.split(['+', '-']).filter(|_| expression.contains(['+', '-']));
            assert!(
                summed.into_iter().all(|term| term.starts_with("FILL(") && term.ends_with(",0)")),
                "{id}: {expression}"
            );
        }
    }
}

/// Costs of an attack are limited by route and by function, and an alarm reports them.
#[test]
fn what_costs_most_is_limited_and_somebody_is_told() {
    let tree = tree();
    let functions = resources("AWS::Serverless::Function");
    let analyzing = functions.iter().filter(|(_, function)| function["MemorySize"] == 1024);
    let reserved = json!({ "!If": ["LimitsAnalyses", { "!Ref": "AnalysisConcurrency" }, { "!Ref": "AWS::NoValue" }] });
    let limited: Vec<&str> = analyzing
        .map(|(id, function)| {
            assert_eq!(function["ReservedConcurrentExecutions"], reserved, "{id}");
            id.as_str()
        })
        .collect();
    assert_eq!(limited, ["McpFunction", "PdfFunction", "WebFunction"]);
    let api = one("AWS::Serverless::HttpApi");
    let settings = api["RouteSettings"].as_object().unwrap();
    let routes: BTreeSet<String> = Template::parse(TEXT).unwrap().routes.into_iter().map(|route| route.key).collect();
    let limits = json!({
        "ThrottlingRateLimit": { "!Ref": "CostlyRequestsPerSecond" }, "ThrottlingBurstLimit": { "!Ref": "CostlyBurst" }
    });
    for (route, limit) in settings {
        // of a route that is not there CloudFormation makes an error
        assert!(routes.contains(route), "{route}");
        assert_eq!(limit, &limits, "{route}");
    }
    for path in ["/login", "/register", "/mcp", "/api/v1/pdf/analyze", "/api/v1/pdf/compare"] {
        assert!(settings.contains_key(&format!("POST {path}")), "{path}");
    }
    let budget = one("AWS::Budgets::Budget");
    assert_eq!(budget["Budget"]["BudgetLimit"], json!({ "Amount": { "!Ref": "MonthlyBudget" }, "Unit": "USD" }));
    for notification in budget["NotificationsWithSubscribers"].as_array().unwrap() {
        let told = json!([{ "SubscriptionType": "EMAIL", "Address": { "!Ref": "AlarmEmail" } }]);
        assert_eq!(notification["Subscribers"], told);
    }
    assert_eq!(tree["Resources"]["Budget"]["Condition"], "HasAlarmEmail");
}

/// An origin is compared exactly: with a trailing slash it never matches.
#[test]
fn the_console_s_origin_is_one() {
    let pattern = tree()["Parameters"]["ConsoleOrigin"]["AllowedPattern"].as_str().unwrap().to_owned();
    let fitting = proptest::string::string_regex(&pattern).unwrap();
    proptest!(|(origin in fitting)| {
        let host = origin.strip_prefix("https://").unwrap_or_default();
        prop_assert!(origin == "*" || !host.is_empty() && !host.contains(['/', ',', ' ']), "{origin}");
    });
}

/// The build image of releases is pinned, and one job builds by the oldest toolchain that Cargo.toml permits.
#[test]
fn workflows_name_the_toolchain_they_build_with() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let dockerfile = std::fs::read_to_string(root.join("Dockerfile")).unwrap();
    let (_, image) = dockerfile.split_once("FROM rust:").unwrap();
    let version = format!("{}.0", image.split('-').next().unwrap());
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let oldest = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap().trim_matches('"');
    let (mut installed, mut by_oldest) = (0, 0);
    for file in std::fs::read_dir(root.join(".github/workflows")).unwrap() {
        let file = file.unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|line| line.contains("rustup ")) {
            let is_oldest = line.contains(oldest);
            assert!(line.contains(&version) || is_oldest, "{}: {line}", file.display());
            installed += 1;
            by_oldest += u32::from(is_oldest);
        }
    }
    assert!(installed >= 10 && by_oldest == 2, "{installed}, {by_oldest}");
}

/// Each route would be metrics of its own, paid by the month.
#[test]
fn the_gateway_measures_itself_as_a_whole() {
    let settings = &one("AWS::Serverless::HttpApi")["DefaultRouteSettings"];
    assert_eq!(settings.get("DetailedMetricsEnabled"), None);
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

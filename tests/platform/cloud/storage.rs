//! The table and the bucket in `template.yaml`: permissions, ownership, protection.

use serde_json::{Value, json};
use tests::service::TestService;
use tests::template::{resources, tree};

use super::{ANALYSING, one};

#[test]
fn policies_name_this_table_and_these_objects_only() {
    let functions = resources("AWS::Serverless::Function");
    assert_eq!(functions.len(), 5);
    for (id, properties) in functions {
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

/// Resources that a parameter replaces by existing ones, such as a restored table.
const REPLACEABLE: [(&str, &[&str]); 2] = [("Table", &["Table"]), ("Bucket", &["Uploads", "UploadsPolicy"])];

#[test]
fn the_stack_makes_a_table_and_a_bucket_unless_parameters_name_others() {
    let tree = tree();
    for (kind, owned) in REPLACEABLE {
        let (made, existing) = (format!("Makes{kind}"), format!("Existing{kind}"));
        assert_eq!(tree["Parameters"][&existing]["Default"], "");
        assert_eq!(tree["Conditions"][&made], json!({ "!Equals": [{ "!Ref": existing }, ""] }));
        for id in owned {
            assert_eq!(tree["Resources"][*id]["Condition"], made, "{id}");
        }
    }
}

#[test]
fn a_table_or_a_bucket_whose_place_is_taken_is_let_go_of_not_deleted() {
    let tree = tree();
    for (kind, owned) in REPLACEABLE {
        for policy in ["DeletionPolicy", "UpdateReplacePolicy"] {
            assert_eq!(tree["Resources"][owned[0]][policy], "Retain", "{policy} of {kind}");
        }
    }
}

/// Whoever names the stack's own beside the choice would keep the stack from being deployed without it.
#[test]
fn the_stack_s_own_table_and_bucket_are_named_in_the_choice_only() {
    for (kind, owned) in REPLACEABLE {
        let mut elsewhere = tree();
        for id in owned {
            elsewhere["Resources"].as_object_mut().unwrap().remove(*id);
        }
        let chosen = serde_json::to_string(&one_of_ours_or_theirs(kind)).unwrap();
        let rest = serde_json::to_string(&elsewhere).unwrap().replace(&chosen, "");
        let references = ["{\"!Ref\":\"OWN\"}", "\"!GetAtt\":\"OWN.", "${OWN}", "${OWN."];
        for reference in references.map(|reference| reference.replace("OWN", owned[0])) {
            assert!(!rest.contains(&reference), "{reference}");
        }
    }
}

#[test]
fn functions_and_outputs_name_the_table_and_the_bucket_of_the_choice() {
    let tree = tree();
    let variables = &tree["Globals"]["Function"]["Environment"]["Variables"];
    assert_eq!(variables["TABLE_NAME"], one_of_ours_or_theirs("Table"));
    assert_eq!(variables["UPLOAD_BUCKET"], bucket());
    assert_eq!(tree["Outputs"]["TableName"]["Value"], one_of_ours_or_theirs("Table"));
    assert_eq!(tree["Outputs"]["UploadBucket"]["Value"], bucket());
}

#[test]
fn the_table_is_protected_and_paid_by_request() {
    let table = one("AWS::DynamoDB::Table");
    assert_eq!(table["BillingMode"], "PAY_PER_REQUEST");
    assert_eq!(table["DeletionProtectionEnabled"], true);
    assert_eq!(table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"], true);
    assert_eq!(table["SSESpecification"]["SSEEnabled"], true);
}

#[tokio::test]
async fn the_table_forgets_what_expires_by_the_attribute_that_rows_have() {
    let expiry = &one("AWS::DynamoDB::Table")["TimeToLiveSpecification"];
    assert_eq!(expiry["Enabled"], true);
    let service = TestService::start().await;
    service.account("ada").await.analyze_once("k", "a.pdf", samples::small::pdf("A")).await.expect(200);
    let name = &service.service().template().table.name;
    let rows = service.service().dynamodb().scan().table_name(name).send().await.unwrap();
    let attribute = expiry["AttributeName"].as_str().unwrap();
    assert!(rows.items().iter().any(|row| row.contains_key(attribute)));
}

#[test]
fn the_bucket_is_private_and_encrypted() {
    let bucket = one("AWS::S3::Bucket");
    let block = bucket["PublicAccessBlockConfiguration"].as_object().unwrap();
    assert_eq!(block.len(), 4);
    assert!(block.values().all(|flag| flag == true));
    let rule = &bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"][0];
    assert_eq!(rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"], "AES256");
}

#[test]
fn the_bucket_is_emptied_of_what_is_left_after_a_day() {
    let leftovers = &one("AWS::S3::Bucket")["LifecycleConfiguration"]["Rules"][0];
    assert_eq!((&leftovers["Status"], &leftovers["ExpirationInDays"]), (&json!("Enabled"), &json!(1)));
    assert_eq!(leftovers["AbortIncompleteMultipartUpload"]["DaysAfterInitiation"], 1);
}

#[test]
fn nobody_reaches_the_bucket_without_tls() {
    let policy = one("AWS::S3::BucketPolicy");
    assert_eq!(policy["Bucket"], json!({ "!Ref": "Uploads" }));
    let deny = &policy["PolicyDocument"]["Statement"][0];
    assert_eq!((&deny["Effect"], &deny["Action"], &deny["Principal"]), (&json!("Deny"), &json!("s3:*"), &json!("*")));
    assert_eq!(deny["Condition"]["Bool"]["aws:SecureTransport"], "false");
}

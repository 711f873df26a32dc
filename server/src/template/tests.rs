//! The service's own template, and unsupported constructs.

use std::time::Duration;

use super::{TEXT, Template};

/// A template with one of each supported construct.
const SMALL: &str = r#"
Parameters:
  Limit: {Type: Number, Default: 7}
  Origin: {Type: String}
  Other: {Type: String, Default: ""}
Conditions:
  Makes: !Equals [!Ref Other, ""]
  Has: !Not [!Equals [!Ref Other, ""]]
  Odd: !And [!Condition Makes, !Condition Has]
Globals:
  Function: {Timeout: 20, Environment: {Variables: {TABLE_NAME: !If [Makes, !Ref Data, !Ref Other], LEVEL: info}}}
Resources:
  Api:
    Type: AWS::Serverless::HttpApi
    Properties:
      StageName: $default
      CorsConfiguration: {AllowOrigins: ["*"], AllowMethods: [GET], MaxAge: 60}
  One:
    Type: AWS::Serverless::Function
    Metadata: {BuildProperties: {Binary: one}}
    Properties:
      Timeout: 5
      Environment: {Variables: {BUCKET: !Ref Files, LEVEL: debug, LIMIT: !Sub "${Limit} in ${AWS::Region} {x}"}}
      Events:
        Get: {Type: HttpApi, Properties: {ApiId: !Ref Api, Method: GET, Path: "/a/{id}"}}
        Else: {Type: HttpApi, Properties: {ApiId: !Ref Api}}
        Tick: {Type: ScheduleV2, Properties: {State: !Unknown x}}
  Data:
    Type: AWS::DynamoDB::Table
    Condition: Makes
    Properties:
      BillingMode: !If [Makes, PAY_PER_REQUEST, PROVISIONED]
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
      TimeToLiveSpecification: {AttributeName: gone, Enabled: true}
      SSESpecification: {SSEEnabled: true}
  Files:
    Type: AWS::S3::Bucket
    Properties:
      CorsConfiguration: {CorsRules: [{AllowedOrigins: ["*"], AllowedMethods: [PUT]}]}
      LifecycleConfiguration:
        Rules:
          - {Id: old, Status: Enabled, ExpirationInDays: 2, Prefix: x/}
  Alarm: {Type: AWS::CloudWatch::Alarm, Properties: {Dimensions: !If [a, b, c]}}
"#;

#[test]
fn everything_is_resolved() {
    let template = Template::parse(SMALL).unwrap();
    let one = &template.functions[0];
    assert_eq!((one.logical_id.as_str(), one.binary.as_str()), ("One", "one"));
    assert_eq!(one.timeout, Duration::from_secs(5));
    let environment: Vec<_> = one.environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(environment, ["BUCKET=files", "LEVEL=debug", "LIMIT=7 in us-east-1 {x}", "TABLE_NAME=Data"]);
    let keys: Vec<_> = template.routes.iter().map(|route| route.key.as_str()).collect();
    assert_eq!(keys, ["$default", "GET /a/{id}"]);
    assert_eq!(template.routes[1].path, "/a/{id}");
    assert_eq!(template.cors.max_age, Some(60));
    let create = serde_json::json!({
        "TableName": "Data",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    });
    assert_eq!(template.table.create, create);
    assert_eq!(template.table.ttl_attribute, "gone");
    assert_eq!(template.bucket.name, "files");
    assert_eq!(template.bucket.expiries.len(), 1);
    assert_eq!(template.bucket.expiries[0].after(), Duration::from_secs(2 * 86_400));
}

#[test]
fn what_is_not_understood_is_an_error_that_says_where() {
    let cases = [
        (
            "BUCKET: !Ref Files",
            "BUCKET: !GetAtt Files.Arn",
            "Resources.One.Properties.Environment.Variables.BUCKET: !GetAtt",
        ),
        ("BUCKET: !Ref Files", "BUCKET: {Ref: Files}", "Variables.BUCKET: invalid type: map, expected a string"),
        ("BUCKET: !Ref Files", "BUCKET: !Ref Origin", "Variables.BUCKET: `Origin` has no value"),
        ("${Limit}", "${!Limit}", "Variables.LIMIT: `!Limit` has no value"),
        (
            "StageName: $default",
            "StageName: v1",
            "Resources.Api.Properties.StageName: unknown variant `v1`, expected `$default`",
        ),
        ("StageName: $default", "StageName: $default\n      Auth: x", "Resources.Api.Properties.Auth: unknown field"),
        ("MaxAge: 60", "MaxAge: 60, Allow: all", "Resources.Api.Properties.CorsConfiguration.Allow: unknown field"),
        ("MaxAge: 60", "MaxAge: x", "CorsConfiguration.MaxAge: must be a whole number"),
        (
            "[{AttributeName: pk, KeyType: HASH}]",
            "!If [a, b, c]",
            "Resources.Data.Properties.KeySchema: the condition `a` is not understood",
        ),
        (
            "AllowMethods: [GET]",
            "AllowMethods: !If [Makes, b, c]",
            "CorsConfiguration.AllowMethods: invalid type: string \"b\", expected a sequence",
        ),
        ("SSESpecification", "StreamSpecification", "Resources.Data.Properties.StreamSpecification: unknown field"),
        ("Enabled: true", "Enabled: false", "TimeToLiveSpecification.Enabled: unknown variant `false`"),
        (
            "Path: \"/a/{id}\"",
            "Path: \"/a/{proxy+}\"",
            "Resources.One.Properties.Events.Get: `{proxy+}` is not understood",
        ),
        ("Method: GET", "Method: FETCH", "Events.Get: `FETCH` is not a method"),
        ("Path: \"/a", "Path: \"a", "Events.Get: the path `a/{id}` must begin with a slash"),
        ("Method: GET, Path: \"/a/{id}\"", "Method: GET", "Events.Get: needs both Method and Path"),
        ("Method: GET, Path: \"/a/{id}\"", "Auth: NONE", "Events.Get.Properties.Auth: unknown field"),
        (
            "Else: {Type: HttpApi",
            "Else: {Type: Schedule",
            "Events.Else.Type: unknown variant `Schedule`, expected `HttpApi` or `ScheduleV2`",
        ),
        ("Method: GET, Path: \"/a/{id}\"}", "}", "Events.Get: the route `$default` is there twice"),
        ("ApiId: !Ref Api, Method", "ApiId: !Ref Other, Method", "Events.Get: ApiId must be `!Ref Api`"),
        ("Binary: one", "Other: one", "Resources.One.Metadata.BuildProperties.Binary: is missing"),
        (
            "Alarm: {Type: AWS::CloudWatch::Alarm",
            "Alarm: {Type: AWS::S3::Bucket",
            "Resources: must have one resource of type AWS::S3::Bucket, and has 2",
        ),
        (
            "Type: AWS::Serverless::HttpApi",
            "Type: AWS::Serverless::Api",
            "Resources: must have one resource of type AWS::Serverless::HttpApi, and has 0",
        ),
        ("Prefix: x/", "Prefix: x/, TagFilters: x", "Rules.[0].TagFilters: unknown field"),
        ("Status: Enabled", "Status: Disabled", "Rules.[0].Status: unknown variant `Disabled`"),
        ("!If [Makes,", "!If [Odd,", "TABLE_NAME: the condition `Odd` is not understood"),
        ("!If [Makes, !Ref Data,", "!If [!Ref Data,", "TABLE_NAME: !If must have a condition and two values"),
        ("Condition: Makes", "Condition: Has", "Resources.Data.Condition: `Has` has to hold"),
        ("Function: {Timeout: 20", "Functions: {Timeout: 20", "Globals.Function: is missing"),
        ("Parameters:", "Parameter:", "Parameters: is missing"),
    ];
    for (from, to, expected) in cases {
        let changed = SMALL.replacen(from, to, 1);
        assert_ne!(changed, SMALL, "{from}");
        let error = Template::parse(&changed).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\ndoes not say\n{expected}");
    }
}

#[test]
fn the_service_s_template_is_understood() {
    let template = Template::parse(TEXT).unwrap();
    assert!(template.routes.iter().any(|route| route.key == "$default"));
    for function in &template.functions {
        assert_eq!(function.environment.get("TABLE_NAME"), Some(&template.table.name));
        assert!(template.routes.iter().any(|route| route.function == function.logical_id));
    }
}

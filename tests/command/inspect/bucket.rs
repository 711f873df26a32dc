//! `inspect s3://…`: objects of a bucket, which the embedded one plays.

use std::fs::write;

use samples::large::Arrangement;
use samples::small::pdf;
use serde_json::Value;
use tempfile::tempdir;
use tests::command::{Run, run};
use tests::service::TestService;

use crate::PROGRAM;

struct Bucket {
    service: TestService,
    name: String,
}

impl Bucket {
    async fn with(keys: &[&str]) -> Self {
        let service = TestService::start().await;
        let name = service.service().template().bucket.name.clone();
        let bucket = Self { service, name };
        for key in keys {
            let body = if key.ends_with("bad.pdf") { b"no PDF".to_vec() } else { pdf(key) };
            bucket.put(key, body).await;
        }
        bucket
    }

    async fn put(&self, key: &str, body: Vec<u8>) {
        let put = self.service.service().s3().put_object().bucket(&self.name).key(key);
        put.body(body.into()).send().await.unwrap();
    }

    fn address(&self, key: &str) -> String {
        format!("s3://{}/{key}", self.name)
    }

    fn inspect(&self, arguments: &[&str]) -> Run {
        let endpoint = self.service.service().embedded().unwrap().s3_endpoint();
        let environment = [
            ("AWS_ENDPOINT_URL", endpoint.as_str()),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", "local"),
            ("AWS_SECRET_ACCESS_KEY", "local"),
        ];
        run(PROGRAM, &[&["inspect"], arguments].concat(), &environment, "")
    }
}

fn rows(run: &Run) -> Vec<Value> {
    run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_pdfs_under_a_prefix_are_inspected_in_the_order_of_their_keys() {
    let bucket =
        Bucket::with(&["claims/b.pdf", "claims/a.pdf", "claims/bad.pdf", "claims/notes.txt", "other/c.pdf"]).await;
    let all = bucket.inspect(&["--format", "json", &bucket.address("claims/")]);
    let rows = rows(&all);
    let found: Vec<_> = rows.iter().map(|row| (row["path"].as_str().unwrap(), row["ok"].as_bool().unwrap())).collect();
    let expected = [("claims/a.pdf", true), ("claims/b.pdf", true), ("claims/bad.pdf", false)];
    let expected = expected.map(|(key, ok)| (bucket.address(key), ok));
    assert_eq!(found, expected.each_ref().map(|(path, ok)| (path.as_str(), *ok)), "{}", all.errors);
    assert_eq!(rows[0]["metadata"]["document"]["title"], "claims/a.pdf");
    let local = tempdir().unwrap();
    let path = local.path().join("a.pdf");
    write(&path, pdf("claims/a.pdf")).unwrap();
    let same: Value = serde_json::from_str(&crate::output(&["inspect", path.to_str().unwrap()])).unwrap();
    assert_eq!(same["metadata"], rows[0]["metadata"], "a bucket answers as a disk");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_large_object_only_what_matters_is_read() {
    let mut large = Vec::new();
    samples::large::write(Arrangement::Classic, 120, &mut large).unwrap();
    let (size, bucket) = (large.len() as u64, Bucket::with(&[]).await);
    bucket.put("large.pdf", large).await;
    let answer = bucket.inspect(&["--stats", "--format", "json", &bucket.address("large.pdf")]);
    let answer = &rows(&answer)[0];
    assert_eq!(answer["metadata"]["basic"]["pages"], 120, "{answer}");
    let read = answer["stats"]["bytes_read"].as_u64().unwrap();
    assert!(size > 2 << 20 && read > 0 && read < size / 2, "{read} of {size} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_and_what_is_not_possible_are_said() {
    let bucket = Bucket::with(&["claims/a.pdf"]).await;
    let none = bucket.inspect(&["--format", "json", &bucket.address("claims/none.pdf")]);
    assert_eq!((none.code, rows(&none)[0]["error"]["code"].clone()), (Some(1), "unreadable".into()), "{}", none.output);
    let empty = bucket.inspect(&[&bucket.address("nothing/")]);
    assert!(empty.code == Some(1) && empty.errors.contains("no PDF files found in s3://"), "{}", empty.errors);
    let hashed = bucket.inspect(&["--sha256", &bucket.address("claims/")]);
    assert!(hashed.code == Some(2) && hashed.errors.contains("--sha256 reads local files"), "{}", hashed.errors);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_file_of_results_has_is_not_read_again() {
    let bucket = Bucket::with(&["claims/a.pdf", "claims/b.pdf"]).await;
    let folder = tempdir().unwrap();
    let results = folder.path().join("results.jsonl");
    let resume = ["--format", "csv", "--resume", results.to_str().unwrap(), &bucket.address("claims/")];
    let first = bucket.inspect(&resume).output;
    assert_eq!(first.lines().count(), 3);
    let gone = bucket.service.service().s3().delete_object().bucket(&bucket.name).key("claims/a.pdf");
    gone.send().await.unwrap();
    assert_eq!(bucket.inspect(&resume).output.lines().count(), 2);
    assert_eq!(std::fs::read_to_string(&results).unwrap().lines().count(), 2);
}

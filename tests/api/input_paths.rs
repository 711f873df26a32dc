//! The same answer for a file on every input path.

use std::fs::{read, read_dir, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, iter, thread};

use samples::signed::attacks;
use samples::{builds, histories, kinds};
use serde_json::{Value, json};
use tempfile::tempdir;
use tests::api::{Answer, Api};
use tests::service::TestService;

use super::mcp::Client;

const COMMAND: &str = env!("CARGO_BIN_EXE_command");

/// The answer for a file without its hash, which some paths do not know; or the error.
fn said(answer: &Value, error: &Value) -> Value {
    let mut metadata = answer["metadata"].clone();
    let Some(known) = metadata.as_object_mut() else { return error["details"]["reason"].clone() };
    known.remove("file");
    metadata
}

/// The same from an answer of the API.
fn answered(answer: &Answer) -> Value {
    said(&answer.json["data"], &answer.json["error"])
}

/// A tool's report of a file, without the account's data.
fn told(mut answer: Value) -> Value {
    let Some(metadata) = answer["metadata"].as_object_mut() else { return answer["details"]["reason"].clone() };
    metadata.remove("file");
    answer["untrusted"]["texts"].as_object_mut().unwrap().remove("filename");
    for own in ["id", "analyzed_at", "seen"] {
        answer.as_object_mut().unwrap().remove(own);
    }
    answer
}

/// `pdf-analysis inspect` with these arguments and the file on its standard input, through a pipe.
fn inspected(file: &Path, arguments: &[&str]) -> Value {
    let mut pipe = Command::new("cat").arg(file).stdout(Stdio::piped()).spawn().unwrap();
    let command = Command::new(COMMAND).arg("inspect").args(arguments).stdin(pipe.stdout.take().unwrap()).output();
    pipe.wait().unwrap();
    let answer: Value = serde_json::from_slice(&command.unwrap().stdout).unwrap();
    said(&answer, &answer["error"])
}

/// The reports of the tool of `pdf-analysis mcp` on the files of a folder.
fn told_on_ones_own_machine(folder: &Path, files: usize) -> Vec<Value> {
    let asked = (0..files).map(|index| {
        let arguments = json!({ "path": format!("{index}.pdf"), "part": "metadata" });
        let params = json!({ "name": "inspect", "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": index, "method": "tools/call", "params": params }).to_string() + "\n"
    });
    let run =
        tests::command::run(COMMAND, &["mcp", "--root", folder.to_str().unwrap()], &[], &asked.collect::<String>());
    assert!(run.success, "{}", run.errors);
    let mut answers = vec![Value::Null; files];
    for line in run.output.lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        answers[answer["id"].as_u64().unwrap() as usize] = told(serde_json::from_str(text).unwrap());
    }
    answers
}

/// The reports of the tools of `POST /mcp` on a staged file, and the stored result.
async fn told_in_the_cloud(client: &Client, ada: &Api, file: Vec<u8>) -> (Value, Value) {
    let upload = ada.stage("a.pdf", file).await;
    let analyzed = client.call("analyze", json!({ "upload_id": upload })).await;
    if analyzed.is_error() {
        let reason = told(analyzed.error());
        return (reason.clone(), reason);
    }
    let id = &analyzed.data()["id"];
    let stored = ada.get(&format!("/pdf/{}", id.as_str().unwrap())).await.expect(200);
    (told(client.call("get_analysis", json!({ "id": id, "part": "metadata" })).await.data().clone()), answered(&stored))
}

/// The first difference of two values.
fn difference(at: &str, one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Object(first), Value::Object(second)) if first.keys().eq(second.keys()) => {
            first.iter().find_map(|(key, one)| difference(&format!("{at}/{key}"), one, &second[key]))
        }
        (Value::Array(first), Value::Array(second)) if first.len() == second.len() => {
            let mut pairs = iter::zip(first, second).enumerate();
            pairs.find_map(|(index, (one, other))| difference(&format!("{at}/{index}"), one, other))
        }
        _ => (one != other).then(|| format!("{at}: {one} here, {other} there")),
    }
}

/// All samples, and the PDFs below the folders that `PDF_CORPUS` and `PDF_FOLDERS` name, the latter parted by colons.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = kinds::kinds().into_iter().map(|(name, file)| (name.to_owned(), file)).collect();
    files.extend(histories::all().into_iter().map(|history| (history.name.to_owned(), history.file)));
    files.extend(builds::all().into_iter().map(|build| (build.name.to_owned(), build.file)));
    files.extend(attacks::all().into_iter().map(|attack| (attack.name.to_owned(), attack.file)));
    let folders = ["PDF_CORPUS", "PDF_FOLDERS"].into_iter().filter_map(env::var_os).collect::<Vec<_>>();
    let mut open: Vec<PathBuf> = folders.iter().flat_map(env::split_paths).collect();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "pdf") {
            files.push((path.display().to_string(), read(&path).unwrap()));
        }
    }
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_judged_the_same_by_seven_ways() {
    let service = TestService::start().await;
    let (folder, files) = (tempdir().unwrap(), files());
    for (index, (_, file)) in files.iter().enumerate() {
        write(folder.path().join(format!("{index}.pdf")), file).unwrap();
    }
    let on_ones_own_machine = told_on_ones_own_machine(folder.path(), files.len());
    for (index, ((name, file), by_tool)) in iter::zip(files, on_ones_own_machine).enumerate() {
        let path = folder.path().join(format!("{index}.pdf"));
        // a locked file keeps its ticket, and five may be open
        let ada = service.account(&format!("ada{index}")).await;
        let client = Client::of(&service, &ada);
        let directly = answered(&ada.analyze("a.pdf", file.clone()).await);
        let staged = answered(&ada.analyze_staged(&ada.stage("a.pdf", file.clone()).await).await);
        let (by_tool_in_the_cloud, stored) = told_in_the_cloud(&client, &ada, file).await;
        let [by_path, hashed, piped] = {
            let (path, name) = (&path, path.to_str().unwrap());
            let runs = [vec![name], vec!["--sha256", name], vec!["-"]];
            thread::scope(|scope| {
                let runs = runs.map(|arguments| scope.spawn(move || inspected(path, &arguments)));
                runs.map(|run| run.join().unwrap())
            })
        };
        let ways = [
            ("by path", by_path),
            ("by path and hashed", hashed),
            ("through a pipe", piped),
            ("staged", staged),
            ("by an agent", stored),
        ];
        for (way, said) in ways {
            assert_eq!(difference("", &directly, &said), None, "{name}, directly and {way}");
        }
        assert_eq!(difference("", &by_tool, &by_tool_in_the_cloud), None, "{name}, by the two tools");
    }
}

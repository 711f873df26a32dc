//! `mcp`: an agent inspects the files of one folder, and nothing else.

use std::fs::{create_dir, hard_link, write};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use samples::histories;
use samples::pdf::{Cipher, encrypted};
use samples::small::{pdf, pdf_of_size};
use serde_json::{Value, json};
use tempfile::tempdir;
use tests::command::Run;

use crate::{PROGRAM, refusal};

/// The answers of the binary to these lines, and its exit code.
fn told(root: &Path, lines: &[String]) -> Run {
    let root = root.to_str().unwrap();
    tests::command::run(PROGRAM, &["mcp", "--root", root], &[], &(lines.join("\n") + "\n"))
}

/// The answers to these messages: nothing else is on standard output.
fn answers(root: &Path, messages: &[Value]) -> Vec<Value> {
    let run = told(root, &messages.iter().map(Value::to_string).collect::<Vec<_>>());
    assert!(run.success && run.errors.is_empty(), "{}", run.errors);
    run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn call(arguments: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "inspect", "arguments": arguments } })
}

/// The result of `inspect`, or its error.
fn inspect(root: &Path, arguments: &Value) -> Result<Value, Value> {
    let answers = answers(root, &[call(arguments)]);
    assert_eq!(answers.len(), 1);
    let result = &answers[0]["result"];
    let text = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    if result["isError"] == true { Err(text) } else { Ok(result["structuredContent"].clone()) }
}

#[test]
fn two_files_of_the_folder_are_compared() {
    let folder = tempdir().unwrap();
    write(folder.path().join("a.pdf"), pdf("A")).unwrap();
    write(folder.path().join("b.pdf"), [pdf("A"), b"% saved again\n".to_vec()].concat()).unwrap();
    write(folder.path().join("c.pdf"), "no PDF").unwrap();
    let ask = |after: &str| {
        let arguments = json!({ "before": "a.pdf", "after": after });
        let asked = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "compare", "arguments": arguments } });
        answers(folder.path(), &[asked])[0]["result"].clone()
    };
    let told = ask("b.pdf")["structuredContent"].clone();
    assert_eq!((&told["relation"], &told["grown"]), (&json!("appended"), &json!("after")));
    assert_eq!(told["untrusted"]["texts"]["files[1].filename"], "b.pdf");
    let refused: Value = serde_json::from_str(ask("c.pdf")["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(refused["details"], json!({ "reason": "not_a_pdf", "file": "after" }));
    assert_eq!(ask("../a.pdf")["isError"], true);
}

#[test]
fn a_client_of_either_era_lists_the_tool_and_calls_it() {
    let folder = tempdir().unwrap();
    write(folder.path().join("a.pdf"), pdf("A")).unwrap();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let newest = |method: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params })
    };
    let asked = json!({ "name": "inspect", "arguments": { "path": "a.pdf" } });
    let answers = answers(
        folder.path(),
        &[
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-06-18" } }),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
            call(&json!({ "path": "a.pdf" })),
            newest("server/discover", json!({})),
            newest("tools/call", asked),
            newest("ping", json!({})),
        ],
    );
    let [initialized, listed, called, discovered, newest, gone] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(initialized["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(listed["result"]["tools"][0]["name"], "inspect");
    assert_eq!(listed["result"]["tools"][0]["annotations"]["readOnlyHint"], true);
    assert_eq!(discovered["result"]["supportedVersions"][0], "2026-07-28");
    assert_eq!(gone["error"]["code"], -32601);
    for called in [called, newest] {
        let told = &called["result"]["structuredContent"];
        assert_eq!((&told["verdict"], &told["pages"]), (&json!("no_signs"), &json!(1)));
        let texts = &told["untrusted"]["texts"];
        assert_eq!((&texts["filename"], &texts["title"]), (&json!("a.pdf"), &json!("A")));
        let schema = jsonschema::validator_for(&listed["result"]["tools"][0]["outputSchema"]).unwrap();
        assert!(schema.is_valid(told), "{told}");
    }
}

#[test]
fn an_owner_s_agent_lists_the_folder_and_is_told_what_was_changed() {
    let folder = tempdir().unwrap();
    let retyped = histories::all().into_iter().find(|history| history.name == "Statement (balance retyped)").unwrap();
    write(folder.path().join("changed.pdf"), retyped.file).unwrap();
    write(folder.path().join("plain.pdf"), pdf("A")).unwrap();
    let asked = |name: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
    let listed = answers(
        folder.path(),
        &[asked("list_files", json!({})), asked("list_files", json!({ "after": "changed.pdf" }))],
    );
    let [all, rest] = listed.as_slice() else { panic!("{listed:?}") };
    let texts = &all["result"]["structuredContent"]["untrusted"]["texts"];
    assert_eq!((&texts["files[0].path"], &texts["files[1].path"]), (&json!("changed.pdf"), &json!("plain.pdf")));
    assert_eq!(rest["result"]["structuredContent"]["untrusted"]["texts"]["files[0].path"], "plain.pdf");

    let asked = asked("inspect", json!({ "path": "changed.pdf" })).to_string() + "\n";
    let root = folder.path().to_str().unwrap();
    let summary = |options: &[&str]| {
        let run = tests::command::run(PROGRAM, &[&["mcp", "--root", root], options].concat(), &[], &asked);
        let answer: Value = serde_json::from_str(run.output.trim()).unwrap();
        answer["result"]["structuredContent"].clone()
    };
    let (usual, own) = (summary(&[]), summary(&["--with-hidden-words"]));
    for told in [&usual, &own] {
        assert_eq!((&told["verdict"], &told["outcome"]), (&json!("signs_of_change"), &json!("needs_review")));
        assert!(told["meaning"].as_str().unwrap().starts_with("Signs, not proof"), "{told}");
    }
    let quotes = |told: &Value| {
        let summary = told["untrusted"]["texts"]["summary"].as_str().unwrap_or_default();
        summary.matches('\'').count() >= 4
    };
    assert_eq!((quotes(&usual), quotes(&own)), (false, true), "{usual} {own}");
}

#[test]
fn files_are_told_of_by_any_path_that_stays_in_the_folder() {
    let around = tempdir().unwrap();
    let folder = around.path().join("folder");
    create_dir(&folder).unwrap();
    create_dir(folder.join("sub")).unwrap();
    write(folder.join("sub/a.pdf"), pdf_of_size("A", 100_000_000)).unwrap();
    write(folder.join("locked.pdf"), encrypted(&pdf("A"), Cipher::Aes256, "user", "owner")).unwrap();
    write(folder.join("no.pdf"), "no PDF").unwrap();
    symlink("sub/a.pdf", folder.join("link.pdf")).unwrap();
    symlink(&folder, around.path().join("other name")).unwrap();
    let whole = folder.join("sub/a.pdf");
    for path in ["sub/a.pdf", "./sub/a.pdf", "link.pdf", whole.to_str().unwrap()] {
        let told = inspect(&folder, &json!({ "path": path, "part": "signals" })).unwrap();
        assert_eq!((&told["part"], &told["file_size"]), (&json!("signals"), &json!(100_000_000)), "{path}");
        assert!(told.to_string().len() <= 4096);
    }
    let named = around.path().join("other name");
    inspect(&named, &json!({ "path": named.join("link.pdf") })).unwrap();
    let locked = |password: Value| inspect(&folder, &json!({ "path": "locked.pdf", "password": password }));
    assert_eq!(locked(Value::Null).unwrap_err()["details"]["reason"], "password_required");
    assert_eq!(locked("wrong".into()).unwrap_err()["details"]["reason"], "wrong_password");
    assert_eq!(locked("user".into()).unwrap()["encrypted"], true);
    assert_eq!(inspect(&folder, &json!({ "path": "no.pdf" })).unwrap_err()["code"], "analysis_failed");
    let wrong = inspect(&folder, &json!({ "part": "all" })).unwrap_err();
    assert_eq!(wrong["details"]["fields"].as_object().unwrap().keys().collect::<Vec<_>>(), ["part", "path"]);
}

#[test]
fn nothing_outside_the_folder_is_told_of_not_even_whether_it_is_there() {
    let around = tempdir().unwrap();
    let (folder, outside) = (around.path().join("folder"), around.path().join("outside"));
    for made in [&folder, &outside, &around.path().join("folder too")] {
        create_dir(made).unwrap();
    }
    write(outside.join("a.pdf"), pdf("Secret")).unwrap();
    write(around.path().join("folder too/a.pdf"), pdf("Secret")).unwrap();
    symlink(outside.join("a.pdf"), folder.join("to a file.pdf")).unwrap();
    symlink(&outside, folder.join("to a folder")).unwrap();
    symlink("../outside", folder.join("up")).unwrap();
    symlink("to itself", folder.join("to itself")).unwrap();
    create_dir(folder.join("sub")).unwrap();
    let pipe = folder.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let _socket = UnixListener::bind(folder.join("socket")).unwrap();
    let missing = inspect(&folder, &json!({ "path": "missing.pdf" })).unwrap_err();
    assert_eq!(missing["code"], "not_found");
    let absolute = outside.join("a.pdf");
    let beside = around.path().join("folder too/a.pdf");
    let dotted = folder.join("../outside/a.pdf");
    for path in [
        "../outside/a.pdf",
        "sub/../../outside/a.pdf",
        "../folder/sub",
        absolute.to_str().unwrap(),
        beside.to_str().unwrap(),
        dotted.to_str().unwrap(),
        "to a file.pdf",
        "to a folder/a.pdf",
        "up/a.pdf",
        "to itself",
        "sub",
        ".",
        "",
        "pipe",
        "socket",
        "/dev/zero",
        "/proc/self/environ",
        "a\0.pdf",
        &"a/".repeat(3000),
    ] {
        assert_eq!(inspect(&folder, &json!({ "path": path })).unwrap_err(), missing, "{path:.80}");
    }
    // a file with two names is in both folders
    hard_link(outside.join("a.pdf"), folder.join("same.pdf")).unwrap();
    inspect(&folder, &json!({ "path": "same.pdf" })).unwrap();
    // a file system of its own
    assert_eq!(inspect(Path::new("/"), &json!({ "path": "proc/self/status" })).unwrap_err(), missing);
}

#[test]
fn what_is_no_message_is_refused_and_the_next_one_answered() {
    let folder = tempdir().unwrap();
    let ping = json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" }).to_string();
    let long =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "a": "x".repeat(100_000) } }).to_string();
    let lines = ["{", "[]", "", &long, &"[".repeat(50_000), &ping].map(str::to_owned);
    let run = told(folder.path(), &lines);
    let answers: Vec<Value> = run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let codes: Vec<_> = answers.iter().map(|answer| answer["error"]["code"].as_i64().unwrap_or_default()).collect();
    assert_eq!(codes, [-32700, -32600, -32600, -32700, 0]);
    assert_eq!((&answers[4]["id"], &answers[4]["result"]), (&json!(7), &json!({})));
    assert!(run.success && run.errors.is_empty());
}

#[test]
fn without_a_folder_there_is_no_server() {
    let folder = tempdir().unwrap();
    let missing = folder.path().join("missing");
    assert!(refusal(&["mcp", "--root", missing.to_str().unwrap()]).contains("cannot be opened"));
    assert!(refusal(&["mcp"]).contains("--root"));
}

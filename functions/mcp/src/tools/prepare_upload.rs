//! `prepare_upload`: a ticket to upload a file straight to the bucket, and the command that does it.

use report::untrusted::cleaned;
use serde_json::{Value, json};
use shared::auth;
use shared::error::Error;
use shared::http::{Call, Fields};
use shared::inputs::announcement::Announcement;
use shared::quota;
use shared::use_cases::stage;

use super::{object, value};
use crate::App;
use crate::protocol::{Effect, Tool};

/// Most characters of a path in the command.
const LONGEST_PATH: usize = 1000;

pub(super) fn tool() -> Tool {
    let text = json!({ "type": "string" });
    Tool {
        name: "prepare_upload",
        title: "Prepare an upload",
        description: "The first of two steps: gives the address to upload a PDF to, and a curl line that does it. Run that \
            line where the file is; the bytes go straight to the store and never through a message. Then call analyze with \
            the upload_id. Good for 15 minutes and for exactly this size; charges nothing.",
        effect: Effect::Writes,
        arguments: (
            json!({
                "filename": { "type": "string", "description": "The file's name, or its path for the curl line; only the name is kept." },
                "size": { "type": "integer", "minimum": 1, "maximum": 104_857_600, "description": "Its exact size in bytes." },
                "sha256": {
                    "type": "string", "pattern": "^[0-9A-Fa-f]{64}$",
                    "description": "Its SHA-256. With it, the store takes no other bytes."
                }
            }),
            &["filename", "size"],
        ),
        result: object(&json!({
            "upload_id": { "type": "string", "description": "What analyze takes." },
            "method": text,
            "url": { "type": "string", "description": "Where to upload to; a secret until it expires." },
            "headers": { "type": "object", "additionalProperties": text, "description": "To be sent, all of them." },
            "expires_at": { "type": "string", "description": "ISO 8601, UTC." },
            "curl": { "type": "string", "description": "The upload as a command for a POSIX shell." }
        })),
    }
}

pub(super) async fn call(app: &App, call: &mut Call, arguments: &Fields) -> Result<Value, Error> {
    let caller = auth::caller(&app.store, call).await?;
    caller.admit(None, quota::ANALYSIS)?;
    let file = Announcement::of(arguments, "size")?;
    let origin = app.uploads.service_origin(|| call.origin())?;
    let ticket = stage::stage(&app.store, &app.uploads, &caller, &file, origin.as_deref(), call.deadline()).await?;
    let mut answer = value(&ticket)?;
    let path = arguments.text("filename").filter(|path| !path.trim().is_empty());
    let line = curl(&answer, path.unwrap_or(&file.filename));
    answer.as_object_mut().into_iter().for_each(|answer| {
        answer.insert("curl".to_owned(), line.as_str().into());
    });
    Ok(answer)
}

/// The upload as a command, with the path as one shell word.
fn curl(ticket: &Value, path: &str) -> String {
    let path = cleaned(path, LONGEST_PATH);
    // a single dash would be standard input
    let path = if path.starts_with('-') { format!("./{path}") } else { path };
    let mut line = format!("curl --globoff --fail-with-body --silent --show-error --upload-file {}", quoted(&path));
    for (name, value) in ticket.get("headers").and_then(Value::as_object).into_iter().flatten() {
        // curl sets it from the file itself
        if name != "content-length" {
            line += &format!(" --header {}", quoted(&format!("{name}: {}", text(Some(value)))));
        }
    }
    format!("{line} {}", quoted(text(ticket.get("url"))))
}

fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

/// One word of a POSIX shell (POSIX.1-2024, XCU 2.2.2).
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;
    use serde_json::json;

    use super::{curl, quoted};

    #[test]
    fn the_command_names_the_file_the_headers_and_the_address() {
        let ticket = json!({ "url": "http://a/b?c=d&e=f", "headers": { "content-length": "7", "if-none-match": "*" } });
        assert_eq!(
            curl(&ticket, "-it's.pdf"),
            r"curl --globoff --fail-with-body --silent --show-error --upload-file './-it'\''s.pdf' --header 'if-none-match: *' 'http://a/b?c=d&e=f'"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn a_shell_takes_a_quoted_word_for_what_it_is(word in "[^\0\r\n]{0,40}") {
            let run = Command::new("sh").arg("-c").arg(format!("printf %s {}", quoted(&word))).output().unwrap();
            prop_assert_eq!(String::from_utf8(run.stdout).unwrap(), word);
        }
    }
}

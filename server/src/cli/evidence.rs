//! `evidence`: writes an evidence package of a file, which anyone can verify.

mod archive;

use std::fs::Permissions;
use std::io::{self, Cursor, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use chrono::{SecondsFormat, Utc};
use clap::Args;
use engine::{LocalFile, Metadata, Options, Source, analyze};
use serde_json::{Value, json};
use shared::file_hash::FileHash;

use super::anchors::Trusted;
use super::inspect::answer::{PROGRAM, with_digest};
use super::inspect::problem::{problem, unreadable};
use super::inspect::version;
use super::inspect::version::options;
use archive::Archive;

/// Make an evidence package of a PDF: a ZIP of the file, the versions in it, the report, and hashes of all of them
#[derive(Debug, Args)]
pub(super) struct Evidence {
    /// Open the file with this password
    #[arg(long)]
    password: Option<String>,
    #[command(flatten)]
    trusted: Trusted,
    /// Where to write the package; nothing is replaced [default: the file's name with ` (evidence).zip`, in the current folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The PDF
    file: PathBuf,
}

/// A member of the package: its name and content.
struct Member<'f> {
    name: String,
    content: Content<'f>,
}

enum Content<'f> {
    /// The first bytes of the file.
    Start(&'f LocalFile, u64),
    Text(Vec<u8>),
}

impl Content<'_> {
    fn len(&self) -> u64 {
        match self {
            Self::Start(_, bytes) => *bytes,
            Self::Text(text) => text.len() as u64,
        }
    }

    fn read(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match self {
            Self::Start(file, bytes) => Box::new(file.contents()?.take(*bytes)),
            Self::Text(text) => Box::new(Cursor::new(text)),
        })
    }
}

impl Evidence {
    /// Writes the package.
    ///
    /// # Errors
    /// A sentence, if the file cannot be analyzed, or the package exists or cannot be written.
    pub(super) fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        let file = LocalFile::open(&self.file).map_err(|error| unreadable(&error).message)?;
        let anchors = self.trusted.anchors()?;
        let asked = Options { anchors: &anchors, ..options(self.password.as_deref()) };
        let metadata = analyze(&file, &asked).map_err(|failure| problem(failure).message)?;
        let metadata = with_digest(metadata, &file)?;
        let name =
            self.file.file_name().map_or_else(|| "file.pdf".to_owned(), |name| name.to_string_lossy().into_owned());
        let output = self.output.clone().unwrap_or_else(|| PathBuf::from(format!("{} (evidence).zip", stem(&name))));
        self.write(&output, &members(&name, &file, &metadata)?)?;
        println!("{}", output.display());
        Ok(())
    }

    /// Writes to a temporary name first, so that no incomplete file remains.
    fn write(&self, output: &Path, members: &[Member<'_>]) -> Result<(), String> {
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let written = || -> io::Result<_> {
            let mut package =
                tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
            let mut archive = Archive::new(io::BufWriter::new(package.as_file_mut()), Utc::now());
            for member in members {
                archive.add(&member.name, member.content.len(), || member.content.read())?;
            }
            archive.finish()?.flush()?;
            Ok(package)
        };
        let package = written().map_err(|error| format!("{} cannot be written: {error}", output.display()))?;
        package.persist_noclobber(output).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => format!("{} already exists; name another file after -o", output.display()),
            _ => format!("{} cannot be written: {}", output.display(), error.error),
        })?;
        Ok(())
    }
}

/// The name without its extension.
fn stem(name: &str) -> &str {
    let ending = name.len().saturating_sub(4);
    match name.get(ending..) {
        Some(end) if end.eq_ignore_ascii_case(".pdf") => name.get(..ending).unwrap_or(name),
        _ => name,
    }
}

/// All members, the hashes last.
fn members<'f>(name: &str, file: &'f LocalFile, metadata: &Metadata) -> io::Result<Vec<Member<'f>>> {
    let inspected_at = Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true);
    let json = serde_json::to_value(metadata)?;
    let report = json!({
        "filename": name,
        "file_size": file.len(),
        "metadata": json,
        "evidence": { "program": PROGRAM, "inspected_at": inspected_at, "versions": version::hashes(file, metadata)? }
    });
    let mut members = vec![Member { name: name.to_owned(), content: Content::Start(file, file.len()) }];
    let revisions = &metadata.integrity.revisions;
    for revision in revisions.iter().take(revisions.len().saturating_sub(1)) {
        let name = format!("{} (version {}).pdf", stem(name), revision.number);
        members.push(Member { name, content: Content::Start(file, revision.end) });
    }
    let page = web::report_page(name, file.len(), &inspected_at, &json);
    for (name, text) in [
        ("report.html", page.into_bytes()),
        ("report.json", pretty(&report)?),
        ("README.txt", readme(name).into_bytes()),
    ] {
        members.push(Member { name: name.to_owned(), content: Content::Text(text) });
    }
    let mut sums = String::new();
    for member in &members {
        sums += &format!("{}  {}\n", FileHash::of_all(member.content.read()?)?, member.name);
    }
    members.push(Member { name: "SHA256SUMS".to_owned(), content: Content::Text(sums.into_bytes()) });
    Ok(members)
}

fn pretty(report: &Value) -> io::Result<Vec<u8>> {
    Ok(format!("{}\n", serde_json::to_string_pretty(report)?).into_bytes())
}

fn readme(name: &str) -> String {
    format!(
        "Evidence package, made by {PROGRAM}.\n\n\
         {name}: the file that was analyzed, byte for byte.\n\
         ... (version N).pdf: the earlier versions that are in it, each the first bytes of the file.\n\
         report.html, report.json: what was found.\n\
         SHA256SUMS: the hashes of all these files. Check them with: sha256sum --check SHA256SUMS\n"
    )
}

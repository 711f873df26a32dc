//! The digests of all signed byte ranges and of the file in one pass: the common start is hashed once, and the state is
//! copied at each signature's own value.

use super::byte_range::SignedRange;
use pdf_signature::hash::{Hash, Hasher};
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;
use pdf_syntax::input::reader::PIECE;
use pdf_syntax::xref::headers::Headers;

/// Maximum hashed bytes, as a multiple of the file's length. Real files need little more than one.
const MAX_FILE_LENGTHS: u64 = 4;
/// The minimum of that limit, for small files.
const MIN_HASHED_BYTES: u64 = 16 << 20;
/// Maximum white space after a signed range, as its last line end.
const LINE_END: u64 = 2;

/// A requested digest of a byte range.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) hash: Hash,
    pub(crate) signed: SignedRange,
}

/// The results of the pass.
#[derive(Debug)]
pub(crate) struct Digests {
    /// The digests in the jobs' order; `None` where one would exceed the limit.
    pub(crate) jobs: Vec<Option<Vec<u8>>>,
    /// SHA-256 of the complete file.
    pub(crate) file: Vec<u8>,
    /// The object headers found, if data follows what any signature covers.
    pub(crate) headers: Option<Headers>,
}

/// All jobs with one hash.
struct Lane {
    /// The hash of the file up to the current offset; `None` once it is no longer needed.
    common: Option<Hasher>,
    /// Whether it is the hash of the complete file.
    is_of_file: bool,
    /// Jobs whose omitted range is still ahead, by its offset, the last one first.
    ahead: Vec<(usize, SignedRange)>,
    /// Jobs whose omitted range has begun.
    behind: Vec<(usize, SignedRange, Hasher)>,
}

/// Reads the file once and computes all digests.
pub(crate) fn digests(document: &mut Document, jobs: &[Job]) -> Result<Digests, Fault> {
    let mut digests = Digests { jobs: jobs.iter().map(|_| None).collect(), file: Vec::new(), headers: None };
    let is_followed = jobs.iter().any(|job| job.signed.end + LINE_END < document.reader.file_size());
    let mut headers = is_followed.then(Headers::default);
    let end = document.reader.file_size();
    let mut lanes = lanes(jobs, &affordable(jobs, end));
    document.reader.begin_pass()?;
    let mut at = 0;
    while at < end {
        let piece = document.reader.pass(at, PIECE)?;
        if let Some(headers) = &mut headers {
            headers.feed(&piece);
        }
        for lane in &mut lanes {
            lane.feed(at, &piece);
            for (index, digest) in lane.finished(at + piece.len() as u64) {
                if let Some(place) = digests.jobs.get_mut(index) {
                    *place = Some(digest);
                }
            }
        }
        at += piece.len() as u64;
    }
    let file = lanes.into_iter().find(|lane| lane.is_of_file).and_then(|lane| lane.common);
    digests.file = file.map_or_else(Vec::new, Hasher::finish);
    digests.headers = headers;
    Ok(digests)
}

/// The jobs within the limit, newest first. Each costs the bytes after its omitted range, and each hash the common
/// start.
fn affordable(jobs: &[Job], length: u64) -> Vec<usize> {
    let mut left = length.saturating_mul(MAX_FILE_LENGTHS).max(MIN_HASHED_BYTES);
    let mut order: Vec<(usize, &Job)> = jobs.iter().enumerate().collect();
    order.sort_by_key(|(_, job)| std::cmp::Reverse(job.signed.end));
    let (mut affordable, mut starts) = (Vec::new(), Vec::<(Hash, u64)>::new());
    for (index, Job { hash, signed }) in order {
        let known = starts.iter().filter(|(found, _)| found == hash).map(|(_, start)| *start).max().unwrap_or(0);
        let cost = signed.end - signed.hole.end + signed.hole.start.saturating_sub(known);
        if let Some(rest) = left.checked_sub(cost) {
            left = rest;
            starts.push((*hash, signed.hole.start));
            affordable.push(index);
        }
    }
    affordable
}

fn lanes(jobs: &[Job], affordable: &[usize]) -> Vec<Lane> {
    let hashes = [Hash::Sha1, Hash::Sha224, Hash::Sha256, Hash::Sha384, Hash::Sha512];
    let lanes = hashes.into_iter().filter_map(|hash| {
        let wanted = affordable.iter().filter_map(|&index| Some((index, jobs.get(index)?)));
        let mut ahead: Vec<(usize, SignedRange)> =
            wanted.filter(|(_, job)| job.hash == hash).map(|(index, job)| (index, job.signed.clone())).collect();
        ahead.sort_by_key(|(_, signed)| std::cmp::Reverse(signed.hole.start));
        let is_of_file = hash == Hash::Sha256;
        let common = (is_of_file || !ahead.is_empty()).then(|| hash.hasher()).flatten()?;
        Some(Lane { common: Some(common), is_of_file, ahead, behind: Vec::new() })
    });
    lanes.collect()
}

impl Lane {
    /// Hashes the next piece of the file, at offset `at`.
    fn feed(&mut self, at: u64, piece: &[u8]) {
        for (_, signed, hasher) in &mut self.behind {
            hasher.update(part(at, piece, signed.hole.end, signed.end));
        }
        let end = at + piece.len() as u64;
        let mut from = at;
        while let Some(common) = &mut self.common {
            let Some((index, signed)) = self.ahead.pop_if(|(_, signed)| signed.hole.start < end) else {
                common.update(part(at, piece, from, end));
                return;
            };
            common.update(part(at, piece, from, signed.hole.start));
            from = signed.hole.start.max(from);
            let mut hasher = common.clone();
            if self.ahead.is_empty() && !self.is_of_file {
                self.common = None;
            }
            hasher.update(part(at, piece, signed.hole.end, signed.end));
            self.behind.push((index, signed, hasher));
        }
    }

    /// The digests of the jobs that end before `at`.
    fn finished(&mut self, at: u64) -> Vec<(usize, Vec<u8>)> {
        let finished = self.behind.extract_if(.., |(_, signed, _)| signed.end <= at);
        finished.map(|(index, _, hasher)| (index, hasher.finish())).collect()
    }
}

/// The bytes from `start` to `end` of the file that are in the piece at offset `at`.
fn part(at: u64, piece: &[u8], start: u64, end: u64) -> &[u8] {
    let within = |offset: u64| offset.saturating_sub(at).min(piece.len() as u64) as usize;
    piece.get(within(start)..within(end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn job(hash: Hash, start: u64, end: u64, last: u64) -> Job {
        Job { hash, signed: SignedRange { hole: start..end, end: last } }
    }

    /// The digests of `file` with pieces of this size.
    fn passed(file: &[u8], jobs: &[Job], size: usize) -> Vec<Option<Vec<u8>>> {
        let all: Vec<usize> = (0..jobs.len()).collect();
        let mut lanes = lanes(jobs, &all);
        let mut digests = vec![None; jobs.len()];
        for (index, piece) in file.chunks(size).enumerate() {
            let at = (index * size) as u64;
            for lane in &mut lanes {
                lane.feed(at, piece);
                for (index, digest) in lane.finished(at + piece.len() as u64) {
                    digests[index] = Some(digest);
                }
            }
        }
        digests
    }

    fn expected(file: &[u8], Job { hash, signed }: &Job) -> Vec<u8> {
        let (start, end, last) = (signed.hole.start as usize, signed.hole.end as usize, signed.end as usize);
        let bytes = [&file[..start], &file[end..last]].concat();
        hash.digest(&bytes).expect("a known hash")
    }

    proptest! {
        #[test]
        fn one_pass_tells_every_digest(
            places in prop::collection::vec((0..300_u64, 0..50_u64, 0..300_u64, 0..3_usize), 1..8),
            size in 1..700_usize,
        ) {
            let file: Vec<u8> = (0..600_u32).map(|number| (number * 7) as u8).collect();
            let hash = |which| [Hash::Sha256, Hash::Sha1, Hash::Sha224][which];
            let jobs: Vec<Job> = places
                .into_iter()
                .map(|(start, length, rest, which)| {
                    job(hash(which), start, start + length, (start + length + rest).clamp(1, 600))
                })
                .collect();
            let expected: Vec<_> = jobs.iter().map(|job| Some(expected(&file, job))).collect();
            prop_assert_eq!(passed(&file, &jobs, size), expected);
        }
    }

    #[test]
    fn what_would_cost_too_much_is_left_out() {
        // a thousand signatures of a large file, with their values at its start
        let length = 100 << 20;
        let jobs: Vec<Job> = (0..1_000).map(|index| job(Hash::Sha256, index * 10, index * 10 + 5, length)).collect();
        assert_eq!(affordable(&jobs, length).len(), 4);
        // a thousand updates, each signed
        let step = length / 1_000;
        let jobs: Vec<Job> =
            (1..=1_000).map(|index| job(Hash::Sha256, index * step - 500, index * step - 5, index * step)).collect();
        assert_eq!(affordable(&jobs, length).len(), 1_000);
    }
}

//! Reads a source in cached blocks, and counts the cost. Sources in memory are viewed in place.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;

use bytes::Bytes;

use super::source::{LocalFile, Source};
use crate::budget::TimeLimit;
use crate::failure::Fault;

/// The unit of caching. Small, because the nodes of a page tree may be anywhere in a file.
const BLOCK_BYTES: u64 = 2 << 10;
/// Bytes at the start that contain the header and the linearization dictionary.
pub const HEAD: usize = 16 << 10;
/// Maximum cached blocks; beyond, all are dropped. Only a hostile file requires so much reading without a scan.
const MAX_CACHED_BLOCKS: usize = (8 << 20) / BLOCK_BYTES as usize;
/// Larger views are not cached: they would double the memory, and are rarely read twice.
const LARGE_VIEW_BYTES: usize = 4 << 20;
/// Maximum rounds of reading and ranges read before the complete file is copied. Real files need fewer than ten rounds;
/// a page tree's root with a thousand scattered children stays below.
const MAX_ROUNDS: u64 = 12;
const MAX_READS: u64 = 2_000;
/// Bytes read at a time in a scan or a copy: 25 pieces for a file of 100 MB.
pub const PIECE: usize = 4 << 20;

/// The cost of reading a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Stats {
    /// Length of the file in bytes.
    pub file_size: u64,
    /// Bytes read from the source; 0 if it was in memory.
    pub bytes_read: u64,
    /// Ranges read.
    pub reads: u64,
    /// Reads that had to wait for the answer of an earlier one.
    pub rounds: u64,
    /// Steps of work spent from the budget of the file.
    pub steps: u64,
}

/// A source, with the blocks read so far.
pub struct Reader<'s> {
    source: &'s dyn Source,
    whole: Option<&'s [u8]>,
    near: Near,
    /// Rounds of reading outside of scans, and number of scans.
    waits: u64,
    passes: u64,
    blocks: BTreeMap<u64, Bytes>,
    /// Ranges to read together with the next missing block.
    ahead: Vec<Range<u64>>,
    /// The last view that spanned blocks, and where in the file it starts.
    joined: Vec<u8>,
    joined_at: u64,
    deadline: TimeLimit,
    stats: Stats,
}

/// Whether reads are fast.
enum Near {
    No,
    /// No, and the file cannot be copied.
    Never,
    /// The source is local.
    Source,
    Copy(LocalFile),
}

impl<'s> Reader<'s> {
    /// Reads head and tail, in one round.
    pub(crate) fn open(source: &'s dyn Source, deadline: TimeLimit) -> Result<Self, Fault> {
        let stats = Stats { file_size: source.len(), ..Stats::default() };
        let (whole, blocks, ahead, joined) = (source.whole(), BTreeMap::new(), Vec::new(), Vec::new());
        let (near, waits, passes, joined_at) = (Near::No, 0, 0, 0);
        let mut reader = Self { source, whole, near, waits, passes, blocks, ahead, joined, joined_at, deadline, stats };
        let len = reader.file_size();
        let (head, tail) = source.ends();
        reader.prefetch(&[0..head.min(len), len.saturating_sub(tail)..len])?;
        Ok(reader)
    }

    /// Length of the file in bytes.
    pub fn file_size(&self) -> u64 {
        self.stats.file_size
    }

    /// Returns the cost of reading so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Whether the source is in memory.
    pub fn is_in_memory(&self) -> bool {
        self.whole.is_some()
    }

    /// Returns `size` bytes from `start`, or as many as the file has.
    pub fn view(&mut self, start: u64, size: usize) -> Result<&[u8], Fault> {
        let range = self.clip(start, size);
        if let Some(whole) = self.whole {
            return Ok(whole.get(range.start as usize..range.end as usize).unwrap_or_default());
        }
        let size = (range.end - range.start) as usize;
        if range.start >= self.joined_at && range.end <= self.joined_at + self.joined.len() as u64 {
            let start = (range.start - self.joined_at) as usize;
            return Ok(self.joined.get(start..start + size).unwrap_or_default());
        }
        self.prefetch(std::slice::from_ref(&range))?;
        let first = range.start / BLOCK_BYTES;
        let skip = (range.start % BLOCK_BYTES) as usize;
        if skip + size <= BLOCK_BYTES as usize {
            let block = self.blocks.get(&first).and_then(|block| block.get(skip..skip + size));
            return Ok(block.unwrap_or_default());
        }
        self.joined.clear();
        self.joined_at = first * BLOCK_BYTES;
        self.joined.reserve_exact(size + 2 * BLOCK_BYTES as usize);
        let spanned = first..range.end.div_ceil(BLOCK_BYTES);
        for (_, block) in self.blocks.range(spanned.clone()) {
            self.joined.extend_from_slice(block);
        }
        if size > LARGE_VIEW_BYTES {
            self.blocks.retain(|index, _| !spanned.contains(index));
        }
        Ok(self.joined.get(skip..skip + size).unwrap_or_default())
    }

    /// Returns how many bytes from `start` are available without reading, up to `most`.
    pub fn at_hand(&self, start: u64, most: usize) -> usize {
        let range = self.clip(start, most);
        let end = if self.whole.is_some() {
            range.end
        } else {
            let missing = (range.start / BLOCK_BYTES..range.end.div_ceil(BLOCK_BYTES))
                .find(|block| !self.blocks.contains_key(block));
            missing.map_or(range.end, |block| (block * BLOCK_BYTES).clamp(range.start, range.end))
        };
        (end - range.start) as usize
    }

    /// Returns `size` bytes from `start`, or as many as the file has, without caching, for scans.
    pub fn pass(&mut self, start: u64, size: usize) -> Result<Cow<'s, [u8]>, Fault> {
        let range = self.clip(start, size);
        self.deadline.check()?;
        if let Some(whole) = self.whole {
            return Ok(Cow::Borrowed(whole.get(range.start as usize..range.end as usize).unwrap_or_default()));
        }
        let bytes = self.read(std::slice::from_ref(&range))?;
        Ok(Cow::Owned(bytes.into_iter().next().unwrap_or_default().into()))
    }

    /// Reads the missing blocks of all ranges in one round.
    pub fn prefetch(&mut self, ranges: &[Range<u64>]) -> Result<(), Fault> {
        if self.whole.is_some() {
            return Ok(());
        }
        let missing = self.missing(ranges);
        if missing.is_empty() {
            return Ok(());
        }
        self.deadline.check()?;
        if self.blocks.len() > MAX_CACHED_BLOCKS {
            self.blocks.clear();
        }
        let mut wanted = std::mem::take(&mut self.ahead);
        wanted.extend_from_slice(ranges);
        // dropped blocks may be missing again
        let missing = self.missing(&wanted);
        self.waits += 1;
        if self.waits > MAX_ROUNDS || self.stats.reads + missing.len() as u64 > MAX_READS {
            self.bring_near()?;
        }
        for (range, bytes) in missing.iter().zip(self.read(&missing)?) {
            for (index, block) in (range.start / BLOCK_BYTES..).zip(bytes.chunks(BLOCK_BYTES as usize)) {
                self.blocks.insert(index, bytes.slice_ref(block));
            }
        }
        Ok(())
    }

    /// Records ranges that will probably be needed: any missing block is read in the next round.
    pub fn expect(&mut self, ranges: &[Range<u64>]) {
        self.ahead = ranges.to_vec();
    }

    /// Records the start of a scan.
    pub fn begin_pass(&mut self) -> Result<(), Fault> {
        self.passes += 1;
        if self.passes > 1 { self.bring_near() } else { Ok(()) }
    }

    /// Copies the file to the disk, if that was not done. A local source counts as copied, so that a file costs the
    /// same from any source.
    fn bring_near(&mut self) -> Result<(), Fault> {
        if self.whole.is_some() || !matches!(self.near, Near::No) {
            return Ok(());
        }
        let pieces = self.file_size().div_ceil(PIECE as u64);
        if self.source.is_near() {
            self.stats.rounds += pieces;
            self.stats.reads += pieces;
            self.stats.bytes_read += self.file_size();
            self.near = Near::Source;
            return Ok(());
        }
        // without disk space it continues without a copy
        let mut copied = tempfile::tempfile();
        for piece in 0..pieces {
            let Ok(copy) = &mut copied else { break };
            let bytes = self.pass(piece * PIECE as u64, PIECE)?;
            copied = copy.write_all(&bytes).and(copied);
        }
        self.near = copied.and_then(LocalFile::of).map_or(Near::Never, Near::Copy);
        Ok(())
    }

    fn read(&mut self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, Fault> {
        match &self.near {
            Near::Copy(copy) => return Ok(copy.read(ranges)?),
            Near::Source => return Ok(self.source.read(ranges)?),
            Near::No | Near::Never => {}
        }
        let bytes = self.source.read(ranges)?;
        self.stats.rounds += 1;
        self.stats.reads += ranges.len() as u64;
        self.stats.bytes_read += bytes.iter().map(|bytes| bytes.len() as u64).sum::<u64>();
        Ok(bytes)
    }

    /// Returns the missing runs of blocks in `ranges`, in order.
    fn missing(&self, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
        let mut wanted: Vec<u64> = ranges
            .iter()
            .flat_map(|range| range.start / BLOCK_BYTES..range.end.min(self.file_size()).div_ceil(BLOCK_BYTES))
            .filter(|block| !self.blocks.contains_key(block))
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let runs = wanted.chunk_by(|one, next| one + 1 == *next);
        runs.filter_map(|run| Some(run.first()? * BLOCK_BYTES..((run.last()? + 1) * BLOCK_BYTES).min(self.file_size())))
            .collect()
    }

    fn clip(&self, start: u64, size: usize) -> Range<u64> {
        let start = start.min(self.file_size());
        start..start.saturating_add(size as u64).min(self.file_size())
    }
}

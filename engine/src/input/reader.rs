//! Reads a source in blocks, keeps them, and counts what it cost. Memory is looked at in place.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use bytes::Bytes;

use super::source::Source;
use crate::budget::{TimeLimit, spend};
use crate::failure::{Fault, Reason};

/// The unit of caching. Small, because the nodes of a page tree may be anywhere in a file.
const BLOCK: u64 = 2 << 10;
/// How much of the start is read at once: header, linearization dictionary and, often, catalog and first pages.
pub(crate) const HEAD: u64 = 16 << 10;
/// How much of the end is read at once: most files have their whole cross-reference there.
const TAIL: u64 = 64 << 10;
/// Blocks kept; beyond, all are dropped. Only a hostile file makes us read so much without scanning.
const KEPT_BLOCKS: usize = (16 << 20) / BLOCK as usize;
/// The blocks of a larger view are not kept: they would take as much memory again, and hardly any is asked for twice.
const LARGE: usize = 4 << 20;
/// Rounds of reading, apart from a scan. Real files need fewer than ten.
const ROUNDS: u64 = 64;
/// Ranges read, in all rounds. A page tree's root with a thousand scattered children still fits.
const READS: u64 = 2_000;
/// How often a file may be passed over, apart from [`SLACK`]. A repair does it once or twice, signatures once more.
const PASSES: u64 = 8;
/// Bytes that may be passed over in vain, in all: jumps that lead nowhere.
const SLACK: u64 = 64 << 20;

/// What reading a file cost.
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
}

/// A source, with the blocks read so far.
pub(crate) struct Reader<'s> {
    source: &'s dyn Source,
    whole: Option<&'s [u8]>,
    blocks: BTreeMap<u64, Bytes>,
    /// The last view that spanned blocks, and where in the file it starts.
    joined: Vec<u8>,
    joined_at: u64,
    deadline: TimeLimit,
    /// Rounds and reads that the cache may still make; a scan has none of these.
    rounds_left: u64,
    reads_left: u64,
    /// Whether something was missing since reading was stopped; none if it was not stopped.
    missed: Option<bool>,
    /// Bytes that scans may still read.
    passes_left: u64,
    stats: Stats,
}

impl<'s> Reader<'s> {
    /// Reads head and tail, in one round.
    pub(crate) fn open(source: &'s dyn Source, deadline: TimeLimit) -> Result<Self, Fault> {
        let stats = Stats { file_size: source.len(), ..Stats::default() };
        let whole = source.whole();
        let mut reader = Self {
            source,
            whole,
            blocks: BTreeMap::new(),
            joined: Vec::new(),
            joined_at: 0,
            deadline,
            rounds_left: ROUNDS,
            reads_left: READS,
            missed: None,
            passes_left: source.len().saturating_mul(PASSES).saturating_add(SLACK),
            stats,
        };
        let len = reader.len();
        reader.prefetch(&[0..HEAD.min(len), len.saturating_sub(TAIL)..len])?;
        Ok(reader)
    }

    pub(crate) fn len(&self) -> u64 {
        self.stats.file_size
    }

    pub(crate) fn stats(&self) -> Stats {
        self.stats
    }

    pub(crate) fn is_in_memory(&self) -> bool {
        self.whole.is_some()
    }

    pub(crate) fn read_ahead(&self) -> usize {
        self.source.read_ahead()
    }

    /// The bytes from `start` on, `size` of them or as many as the file has.
    pub(crate) fn view(&mut self, start: u64, size: usize) -> Result<&[u8], Fault> {
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
        let first = range.start / BLOCK;
        let skip = (range.start % BLOCK) as usize;
        if skip + size <= BLOCK as usize {
            let block = self.blocks.get(&first).and_then(|block| block.get(skip..skip + size));
            return Ok(block.unwrap_or_default());
        }
        self.joined.clear();
        self.joined_at = first * BLOCK;
        self.joined.reserve_exact(size + 2 * BLOCK as usize);
        let spanned = first..range.end.div_ceil(BLOCK);
        for (_, block) in self.blocks.range(spanned.clone()) {
            self.joined.extend_from_slice(block);
        }
        if size > LARGE {
            self.blocks.retain(|index, _| !spanned.contains(index));
        }
        Ok(self.joined.get(skip..skip + size).unwrap_or_default())
    }

    /// How many bytes from `start` on can be viewed without reading, as far as `most`.
    pub(crate) fn at_hand(&self, start: u64, most: usize) -> usize {
        let range = self.clip(start, most);
        let end = if self.whole.is_some() {
            range.end
        } else {
            let missing =
                (range.start / BLOCK..range.end.div_ceil(BLOCK)).find(|block| !self.blocks.contains_key(block));
            missing.map_or(range.end, |block| (block * BLOCK).clamp(range.start, range.end))
        };
        (end - range.start) as usize
    }

    /// The bytes from `start` on, read past the cache: for passing over a file once.
    pub(crate) fn pass(&mut self, start: u64, size: usize) -> Result<Cow<'s, [u8]>, Fault> {
        if let Some(whole) = self.whole {
            return Ok(Cow::Borrowed(whole.get(start as usize..).unwrap_or_default()));
        }
        let range = self.clip(start, size);
        self.deadline.check()?;
        self.passes_left = spend(self.passes_left, (range.end - range.start) as usize)?;
        let bytes = self.read(std::slice::from_ref(&range))?;
        Ok(Cow::Owned(bytes.into_iter().next().unwrap_or_default().into()))
    }

    /// Reads nothing any more that is not here, until reading goes on: it is as if that were too much.
    pub(crate) fn stop(&mut self) {
        self.missed = Some(false);
    }

    /// Goes on reading; whether something was missed.
    pub(crate) fn go_on(&mut self) -> bool {
        self.missed.take().unwrap_or(false)
    }

    /// Reads what is missing of all the ranges, in one round.
    pub(crate) fn prefetch(&mut self, ranges: &[Range<u64>]) -> Result<(), Fault> {
        if self.whole.is_some() {
            return Ok(());
        }
        let missing = self.missing(ranges);
        if missing.is_empty() {
            return Ok(());
        }
        if let Some(missed) = &mut self.missed {
            *missed = true;
            return Err(Fault::Rejected(Reason::TooComplex));
        }
        self.deadline.check()?;
        if self.blocks.len() > KEPT_BLOCKS {
            self.blocks.clear();
        }
        // dropping blocks may have added to what is missing
        let missing = self.missing(ranges);
        self.rounds_left = spend(self.rounds_left, 1)?;
        self.reads_left = spend(self.reads_left, missing.len())?;
        for (range, bytes) in missing.iter().zip(self.read(&missing)?) {
            for (index, block) in (range.start / BLOCK..).zip(bytes.chunks(BLOCK as usize)) {
                self.blocks.insert(index, bytes.slice_ref(block));
            }
        }
        Ok(())
    }

    fn read(&mut self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, Fault> {
        let bytes = self.source.read(ranges)?;
        self.stats.rounds += 1;
        self.stats.reads += ranges.len() as u64;
        self.stats.bytes_read += bytes.iter().map(|bytes| bytes.len() as u64).sum::<u64>();
        Ok(bytes)
    }

    /// The runs of blocks that `ranges` touch and that are not here, in order.
    fn missing(&self, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
        let mut wanted: Vec<u64> = ranges
            .iter()
            .flat_map(|range| range.start / BLOCK..range.end.min(self.len()).div_ceil(BLOCK))
            .filter(|block| !self.blocks.contains_key(block))
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let runs = wanted.chunk_by(|one, next| one + 1 == *next);
        runs.filter_map(|run| Some(run.first()? * BLOCK..((run.last()? + 1) * BLOCK).min(self.len()))).collect()
    }

    fn clip(&self, start: u64, size: usize) -> Range<u64> {
        let start = start.min(self.len());
        start..start.saturating_add(size as u64).min(self.len())
    }
}

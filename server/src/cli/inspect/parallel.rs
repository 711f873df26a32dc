//! Many files on several processors, with their results in the files' order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::scope;

/// Maximum results per worker that wait for an earlier one, so that a slow file does not make all others accumulate in
/// memory.
const MAX_AHEAD: usize = 64;

/// The next item, and the number of results taken.
#[derive(Debug, Default)]
struct Progress {
    next: usize,
    taken: usize,
    stopped: bool,
}

/// Runs `work` on each item in `threads` threads, and passes the results to `take` in order. The first error ends it.
///
/// # Errors
/// The errors of `take`.
pub(super) fn in_order<T: Sync, R: Send, E>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let jobs = jobs.clamp(1, items.len().max(1));
    if jobs == 1 {
        return items.iter().try_for_each(|item| take(work(item)));
    }
    let progress = (Mutex::new(Progress::default()), Condvar::new());
    let (sender, results) = channel();
    scope(|threads| {
        for _ in 0..jobs {
            let (sender, progress, work) = (sender.clone(), &progress, &work);
            threads.spawn(move || {
                while let Some(place) = next(progress, items.len(), jobs * MAX_AHEAD) {
                    let Some(item) = items.get(place) else { return };
                    if sender.send((place, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let taken = handed_over(&results, &progress, &mut take);
        if taken.is_err() {
            progress.0.lock().unwrap_or_else(PoisonError::into_inner).stopped = true;
            progress.1.notify_all();
        }
        taken
    })
}

/// The next item's index, once it is not too far ahead; `None` at the end.
fn next((state, changed): &(Mutex<Progress>, Condvar), items: usize, ahead: usize) -> Option<usize> {
    let mut progress = state.lock().unwrap_or_else(PoisonError::into_inner);
    while !progress.stopped && progress.next < items && progress.next >= progress.taken + ahead {
        progress = changed.wait(progress).unwrap_or_else(PoisonError::into_inner);
    }
    let place = progress.next;
    progress.next += 1;
    (!progress.stopped && place < items).then_some(place)
}

fn handed_over<R, E>(
    results: &Receiver<(usize, R)>,
    (state, changed): &(Mutex<Progress>, Condvar),
    take: &mut impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let (mut early, mut due) = (BTreeMap::new(), 0);
    for (place, result) in results {
        early.insert(place, result);
        while let Some(result) = early.remove(&due) {
            take(result)?;
            due += 1;
        }
        state.lock().unwrap_or_else(PoisonError::into_inner).taken = due;
        changed.notify_all();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::sleep;
    use std::time::Duration;

    use super::{MAX_AHEAD, in_order};

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let items: Vec<usize> = (0..500).collect();
        for jobs in [1, 2, 7, 1000] {
            let work = |item: &usize| {
                sleep(Duration::from_micros(if item.is_multiple_of(100) { 3_000 } else { 10 }));
                *item
            };
            let mut taken = Vec::new();
            let done: Result<(), ()> = in_order(&items, jobs, work, |item| {
                taken.push(item);
                Ok(())
            });
            assert_eq!((done, &taken), (Ok(()), &items), "{jobs}");
        }
        assert_eq!(in_order(&[], 4, |(): &()| (), |()| Err(())), Ok(()));
    }

    #[test]
    fn a_slow_file_holds_the_others_back_and_an_error_ends_all() {
        let (items, done) = ((0..2_000).collect::<Vec<usize>>(), AtomicUsize::new(0));
        let work = |item: &usize| {
            if *item == 0 {
                sleep(Duration::from_millis(300));
            }
            done.fetch_add(1, Ordering::Relaxed);
            *item
        };
        assert_eq!(in_order(&items, 2, work, Err), Err(0));
        assert!(done.load(Ordering::Relaxed) <= 2 * MAX_AHEAD + 2, "{done:?}");
    }
}

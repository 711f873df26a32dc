//! Passwords: Argon2id with OWASP's parameters, with a limit of concurrent hashes for the sake of memory.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::{self, Output, PasswordHash as Phc, Salt, SaltString};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version};
use shared::deadline::Deadline;
use shared::error::{Error, FieldErrors};
use shared::request_cost::RequestCost;
use shared::secret::PasswordHash;
use shared::worker::Worker;

/// Concurrent hashes in one process, 19 MB each.
const CONCURRENT_HASHES: usize = 2;
/// KiB of memory, passes, lanes (OWASP Password Storage Cheat Sheet).
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Compared with a password if there is no account: costs the same, never matches.
const DUMMY_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
/// Characters of a password.
const MIN_CHARACTERS: usize = 8;
const MAX_CHARACTERS: usize = 128;

/// Hashes and compares passwords.
#[derive(Clone, Debug)]
pub struct Passwords {
    /// Served in order of arrival: the account is not known yet at a log-in.
    worker: Worker<()>,
    blocks: Blocks,
}

/// The memory of hashes, reused. Allocated per hash, it would stay, once freed, in the arena of the thread, and there
/// may be hundreds of those. If the allocator returned it to the system, clearing it for the next hash would take
/// nearly as long as the hash.
#[derive(Clone, Default)]
struct Blocks(Arc<Mutex<Vec<Vec<Block>>>>);

impl Default for Passwords {
    /// Computes at most two concurrently.
    fn default() -> Self {
        Self { worker: Worker::new(CONCURRENT_HASHES, CONCURRENT_HASHES), blocks: Blocks::default() }
    }
}

impl Passwords {
    /// The error of a new password, if any.
    #[must_use]
    pub fn problems(password: &str) -> FieldErrors {
        let mut errors = FieldErrors::default();
        Self::check(password, &mut errors);
        errors
    }

    /// The same, added to the errors of other fields.
    pub(crate) fn check(password: &str, errors: &mut FieldErrors) {
        match password.chars().count() {
            0 => errors.add("password", "is required"),
            1..MIN_CHARACTERS => errors.add("password", "must have at least 8 characters"),
            MIN_CHARACTERS..=MAX_CHARACTERS => {}
            _ => errors.add("password", "must have at most 128 characters"),
        }
    }

    /// The hash of a new password, with a random salt.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if it cannot start until `deadline`.
    pub async fn hash(&self, password: &str, deadline: Deadline) -> Result<PasswordHash, Error> {
        let mut salt = [0; 16];
        getrandom::fill(&mut salt).map_err(Error::internal)?;
        let password = password.to_owned();
        self.compute(deadline, move |blocks| {
            let salt = SaltString::encode_b64(&salt)?;
            let params = Params::new(MEMORY_KIB, PASSES, LANES, None)?;
            let hash = Phc {
                algorithm: ARGON2ID_IDENT,
                version: Some(Version::V0x13.into()),
                params: (&params).try_into()?,
                salt: Some(salt.as_salt()),
                hash: Some(output(password.as_bytes(), salt.as_salt(), params, blocks)?),
            };
            Ok(PasswordHash::new(hash.to_string()))
        })
        .await
    }

    /// Whether a hash has other parameters than new ones and has to be computed again.
    pub(crate) fn is_weaker_than_new(hash: &PasswordHash) -> bool {
        let params = Phc::new(hash.as_str()).and_then(|hash| Ok((hash.algorithm, Params::try_from(&hash)?)));
        !params.is_ok_and(|(algorithm, params)| {
            algorithm == ARGON2ID_IDENT
                && (params.m_cost(), params.t_cost(), params.p_cost()) == (MEMORY_KIB, PASSES, LANES)
        })
    }

    /// Whether `password` has this hash. Without a hash, the refusal takes the same time.
    pub(crate) async fn verify(
        &self,
        password: &str,
        hash: Option<&PasswordHash>,
        deadline: Deadline,
    ) -> Result<bool, Error> {
        if password.chars().count() > MAX_CHARACTERS {
            return Ok(false);
        }
        let password = password.to_owned();
        let hash = hash.map_or(DUMMY_HASH, PasswordHash::as_str).to_owned();
        self.compute(deadline, move |blocks| {
            let hash = Phc::new(&hash)?;
            let salt = hash.salt.ok_or(password_hash::Error::PhcStringField)?;
            // compared in constant time
            Ok(Some(output(password.as_bytes(), salt, Params::try_from(&hash)?, blocks)?) == hash.hash)
        })
        .await
    }

    /// Runs `work` in order of arrival, with memory for the hash.
    async fn compute<T: Send + 'static>(
        &self,
        deadline: Deadline,
        work: impl FnOnce(&mut Vec<Block>) -> password_hash::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        RequestCost::current().hash();
        let blocks = self.blocks.clone();
        let done = self.worker.run((), deadline, move || blocks.lend(work)).await?;
        done.map_err(Error::internal)
    }
}

impl Blocks {
    /// Runs `work` with exclusive memory.
    fn lend<T>(&self, work: impl FnOnce(&mut Vec<Block>) -> T) -> T {
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut blocks = free().pop().unwrap_or_default();
        let done = work(&mut blocks);
        free().push(blocks);
        done
    }
}

impl fmt::Debug for Blocks {
    /// Shows none of the memory's content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Blocks")
    }
}

/// Argon2id (RFC 9106) of the password.
fn output(password: &[u8], salt: Salt<'_>, params: Params, blocks: &mut Vec<Block>) -> password_hash::Result<Output> {
    let mut bytes = [0; Salt::MAX_LENGTH];
    let salt = salt.decode_b64(&mut bytes)?;
    blocks.resize(params.block_count(), Block::default());
    let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    Output::init_with(length, |out| Ok(argon2.hash_password_into_with_memory(password, salt, out, blocks)?))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use shared::deadline::Deadline;
    use shared::secret::PasswordHash;

    use super::Passwords;

    const FOREIGN: &str =
        "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$AdweBLwcflnNX2HVW8i1Mtu7frrn4Ki7h/rYSGuU7Is";

    #[tokio::test]
    async fn a_hash_fits_its_password_only() {
        let (passwords, deadline) = (Passwords::default(), Deadline::unhurried());
        let hash = passwords.hash("correct horse", deadline).await.unwrap();
        assert!(hash.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(passwords.verify("correct horse", Some(&hash), deadline).await.unwrap());
        assert!(!passwords.verify("correct horsf", Some(&hash), deadline).await.unwrap());
        assert!(!passwords.verify("", None, deadline).await.unwrap());
        assert!(!format!("{hash:?}").contains("argon2"));
    }

    /// RFC 9106's algorithm, independent of the memory's former content: the hash is from another implementation
    /// (`argon2 saltsaltsaltsalt -id -t 2 -k 19456 -p 1 -e`).
    #[tokio::test]
    async fn a_hash_of_another_program_fits_too() {
        let (passwords, deadline) = (Passwords::default(), Deadline::unhurried());
        let hash = PasswordHash::new(FOREIGN.to_owned());
        for (password, fits) in [("wrong", false), ("correct horse", true), ("correct horse", true)] {
            assert_eq!(passwords.verify(password, Some(&hash), deadline).await.unwrap(), fits, "{password}");
        }
    }

    #[tokio::test]
    async fn nobody_s_password_takes_as_long_as_anybody_s() {
        let (passwords, deadline) = (Passwords::default(), Deadline::unhurried());
        let hash = passwords.hash("correct horse", deadline).await.unwrap();
        let mut fastest = [Duration::MAX; 2];
        for _ in 0..5 {
            for (index, hash) in [Some(&hash), None].into_iter().enumerate() {
                let start = Instant::now();
                passwords.verify("wrong", hash, deadline).await.unwrap();
                fastest[index] = fastest[index].min(start.elapsed());
            }
        }
        let [somebody, nobody] = fastest;
        assert!(nobody * 3 > somebody && somebody * 3 > nobody, "{somebody:?} {nobody:?}");
    }
}

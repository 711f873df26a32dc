//! Passwords: Argon2id with OWASP's parameters, so many at once that memory suffices.

use std::sync::Arc;

use argon2::password_hash::{PasswordHash as Phc, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use shared::error::{Cause, Error, FieldErrors};
use shared::secret::PasswordHash;
use shared::store::Deadline;
use tokio::sync::Semaphore;

/// Computed at once in one process, 19 MB each.
const AT_ONCE: usize = 2;
/// KiB of memory, passes, lanes (OWASP Password Storage Cheat Sheet).
const MEMORY: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// What a password is compared with where there is no account: costs the same, fits none.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
/// Characters of a password.
const SHORTEST: usize = 8;
const LONGEST: usize = 128;

/// Hashes and compares passwords.
#[derive(Clone, Debug)]
pub struct Passwords(Arc<Semaphore>);

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}

impl Passwords {
    /// Computes at most two at once.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }

    /// A password as a form brought it, if it may be one; else what is wrong with `field`.
    pub(crate) fn check(password: &str, field: &'static str, errors: &mut FieldErrors) {
        match password.chars().count() {
            0 => errors.add(field, "is required"),
            1..SHORTEST => errors.add(field, "must have at least 8 characters"),
            SHORTEST..=LONGEST => {}
            _ => errors.add(field, "must have at most 128 characters"),
        }
    }

    /// The hash of a new password, with a salt of its own.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if it is not its turn until `deadline`.
    pub async fn hash(&self, password: &str, deadline: Deadline) -> Result<PasswordHash, Error> {
        let mut salt = [0; 16];
        getrandom::fill(&mut salt).map_err(|error| Error::Internal(Cause::of(&error)))?;
        let password = password.to_owned();
        self.compute(deadline, move || {
            let salt = SaltString::encode_b64(&salt)?;
            let hash = argon2()?.hash_password(password.as_bytes(), &salt)?;
            Ok(PasswordHash::new(hash.to_string()))
        })
        .await
    }

    /// Whether `password` has this hash. Without one it takes the same time to say no.
    pub(crate) async fn verify(
        &self,
        password: &str,
        hash: Option<&PasswordHash>,
        deadline: Deadline,
    ) -> Result<bool, Error> {
        if password.chars().count() > LONGEST {
            return Ok(false);
        }
        let password = password.to_owned();
        let hash = hash.map_or(NOBODY, PasswordHash::as_str).to_owned();
        self.compute(deadline, move || {
            let hash = Phc::new(&hash)?;
            match argon2()?.verify_password(password.as_bytes(), &hash) {
                Ok(()) => Ok(true),
                Err(argon2::password_hash::Error::Password) => Ok(false),
                Err(error) => Err(error),
            }
        })
        .await
    }

    /// Runs `work` on a thread of its own when it is its turn.
    async fn compute<T: Send + 'static>(
        &self,
        deadline: Deadline,
        work: impl FnOnce() -> argon2::password_hash::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let place = self.0.clone().acquire_owned();
        let permit = deadline.limit(place).await?.map_err(|error| Error::Internal(Cause::of(&error)))?;
        let task = tokio::task::spawn_blocking(move || {
            let done = work();
            // given back here, so that a request that was given up still holds its place while it works
            drop(permit);
            done
        });
        task.await
            .map_err(|error| Error::Internal(Cause::of(&error)))?
            .map_err(|error| Error::Internal(Cause::of(&error)))
    }
}

fn argon2() -> argon2::password_hash::Result<Argon2<'static>> {
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(MEMORY, PASSES, LANES, None)?))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use shared::store::Deadline;

    use super::Passwords;

    #[tokio::test]
    async fn a_hash_fits_its_password_only() {
        let (passwords, deadline) = (Passwords::new(), Deadline::unhurried());
        let hash = passwords.hash("correct horse", deadline).await.unwrap();
        assert!(hash.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(passwords.verify("correct horse", Some(&hash), deadline).await.unwrap());
        assert!(!passwords.verify("correct horsf", Some(&hash), deadline).await.unwrap());
        assert!(!passwords.verify("", None, deadline).await.unwrap());
        assert!(!format!("{hash:?}").contains("argon2"));
    }

    #[tokio::test]
    async fn nobody_s_password_takes_as_long_as_anybody_s() {
        let (passwords, deadline) = (Passwords::new(), Deadline::unhurried());
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

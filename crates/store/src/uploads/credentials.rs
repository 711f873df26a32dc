//! The expiry of the credentials that sign tickets: tickets expire with them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use aws_sdk_s3::Config;
use aws_sdk_s3::config::{ConfigBag, IdentityCache, RuntimeComponents, SharedIdentityCache};
use aws_smithy_runtime_api::client::identity::{IdentityFuture, ResolveCachedIdentity, SharedIdentityResolver};

/// Records the expiry of the credentials that a client uses.
#[derive(Clone, Debug)]
pub(super) struct Credentials {
    cache: SharedIdentityCache,
    end: Arc<Mutex<Option<SystemTime>>>,
}

impl Credentials {
    /// The credentials of a client built with `config`.
    pub(super) fn of(config: &Config) -> Self {
        let cache = config.identity_cache().unwrap_or_else(|| IdentityCache::lazy().build());
        Self { cache, end: Arc::default() }
    }

    /// The expiry of the credentials used last; `None` if they do not expire.
    pub(super) fn end(&self) -> Option<SystemTime> {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResolveCachedIdentity for Credentials {
    fn resolve_cached_identity<'a>(
        &'a self,
        resolver: SharedIdentityResolver,
        components: &'a RuntimeComponents,
        config: &'a ConfigBag,
    ) -> IdentityFuture<'a> {
        let resolving = self.cache.resolve_cached_identity(resolver, components, config);
        IdentityFuture::new(async {
            let identity = resolving.await?;
            *self.end.lock().unwrap_or_else(PoisonError::into_inner) = identity.expiration();
            Ok(identity)
        })
    }
}

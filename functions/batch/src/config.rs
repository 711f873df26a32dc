//! The function's environment, which `batch/template.yaml` sets.

/// Where the PDFs are, and where the rows go.
#[derive(Clone, Debug)]
pub struct Config {
    /// `SOURCE_BUCKET`: the bucket of PDFs.
    pub source_bucket: String,
    /// `SOURCE_PREFIX`: the prefix of their keys; may be empty.
    pub source_prefix: String,
    /// `OUTPUT_BUCKET`: the bucket of rows.
    pub output_bucket: String,
    /// `OUTPUT_PREFIX`: the prefix of all that is written; may be empty.
    pub output_prefix: String,
    /// `ANY_NAME`: whether objects are analyzed whose keys do not end in `.pdf`.
    pub any_name: bool,
    /// `TAG_OBJECTS`: whether a new object gets the tag `pdf-analysis:outcome`.
    pub tags_objects: bool,
}

/// An environment value is missing or malformed.
#[derive(Debug, thiserror::Error)]
#[error("the environment value {0} is missing or malformed; batch/template.yaml sets it")]
pub struct ConfigError(&'static str);

impl Config {
    /// Reads the configuration through `get`, which returns a value of the environment.
    ///
    /// # Errors
    /// Names the first value that is missing or malformed.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let value = |name| get(name).ok_or(ConfigError(name));
        let flag = |name| value(name)?.parse().map_err(|_| ConfigError(name));
        Ok(Self {
            source_bucket: value("SOURCE_BUCKET")?,
            source_prefix: value("SOURCE_PREFIX")?,
            output_bucket: value("OUTPUT_BUCKET")?,
            output_prefix: value("OUTPUT_PREFIX")?,
            any_name: flag("ANY_NAME")?,
            tags_objects: flag("TAG_OBJECTS")?,
        })
    }

    /// Whether an object with this key is analyzed. Objects of the output are not.
    #[must_use]
    pub(crate) fn selects(&self, key: &str) -> bool {
        let is_pdf = key.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("pdf"));
        let is_folder = key.ends_with('/');
        let is_output = self.source_bucket == self.output_bucket && key.starts_with(&self.output_prefix);
        (self.any_name || is_pdf) && !is_folder && !is_output
    }
}

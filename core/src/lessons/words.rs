//! Words in every language the page speaks.

use serde::Deserialize;

/// The same words in every language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// English.
    pub en: String,
    /// Spanish.
    pub es: String,
}

//! Texts of lessons in every language of the page.

use serde::Deserialize;

/// A text in every language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// English.
    pub en: String,
    /// Spanish.
    pub es: String,
}

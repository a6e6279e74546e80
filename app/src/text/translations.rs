//! Translations of what the core says, looked up by id: one JSON file per crate or family of texts
//! in `es/`, each an object from id to template.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The files, with what their ids name.
const SPANISH: [(&str, &str); 6] = [
    ("messages of core/scenario", include_str!("es/scenario.json")),
    ("messages of network formats and generators", include_str!("es/formats.json")),
    ("messages of core/routing", include_str!("es/routing.json")),
    ("messages of core", include_str!("es/core.json")),
    ("names, summaries and units of what can be chosen", include_str!("es/catalogue.json")),
    ("names and descriptions of the gallery", include_str!("es/gallery.json")),
];

static BY_ID: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut all = BTreeMap::new();
    for (what, text) in SPANISH {
        let file: BTreeMap<String, String> =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{what}: {error}"));
        all.extend(file);
    }
    all
});

/// The Spanish template of an id.
pub fn spanish(id: &str) -> Option<&'static str> {
    BY_ID.get(id).map(String::as_str)
}

//! Opening and saving files. A bad one is explained and leaves the document as it was.

use super::{Msg, Page, browser};
use crate::text::{fill, text};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::limits::MAX_FILE_BYTES;
use js_sys::Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, BlobPropertyBag, File, HtmlAnchorElement, Url};
use yew::html::Scope;

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileProblems {
    /// Its name.
    pub name: String,
    /// At least one.
    pub problems: Problems,
}

/// Reads a file and has the page open it.
pub fn read(file: File, link: Scope<Page>) {
    spawn_local(async move {
        let name = file.name();
        let trouble = |why: String| {
            let problems = Problems::one(&name, why, "");
            Msg::FileTrouble(FileProblems { name: name.clone(), problems })
        };
        if file.size() > MAX_FILE_BYTES as f64 {
            return link.send_message(trouble(fill(text().file_too_large, &[&(MAX_FILE_BYTES >> 20)])));
        }
        match JsFuture::from(file.text()).await {
            Ok(content) => link.send_message(Msg::OpenText(name, content.as_string().unwrap_or_default())),
            Err(why) => link.send_message(trouble(format!("{why:?}"))),
        }
    });
}

impl Page {
    /// Opens the text of a file, or says what is wrong with it.
    pub(super) fn open_text(&mut self, link: &Scope<Page>, name: &str, content: &str) {
        match parse(name, content) {
            Ok(scenario) => self.open(link, scenario),
            Err(problems) => self.file = Some(FileProblems { name: name.into(), problems }),
        }
    }

    /// Saves the document as a file.
    pub(super) fn save(&mut self, link: &Scope<Page>) {
        let scenario = self.document.scenario();
        let json = scenario.to_json();
        let name = format!("{}.hopscope.json", file_name(&scenario.name));
        if download(&name, &json, "application/json").is_some() {
            self.say(link, fill(text().saved, &[&name]));
        }
    }
}

/// A scenario file; the error says where in it and why.
fn parse(name: &str, content: &str) -> Result<Scenario, Problems> {
    Scenario::read(content).map_err(|mut problems| {
        for problem in &mut problems.0 {
            problem.at = if problem.at.is_empty() { name.into() } else { format!("{name}, {}", problem.at) };
        }
        problems
    })
}

/// The name without what file systems dislike.
fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || c == '-' { c } else { ' ' };
    let words: String = name.chars().map(safe).collect();
    let name = words.split_whitespace().collect::<Vec<_>>().join("-").to_lowercase();
    if name.is_empty() { "network".into() } else { name }
}

fn download(name: &str, content: &str, kind: &str) -> Option<()> {
    let bag = BlobPropertyBag::new();
    bag.set_type(kind);
    let blob =
        Blob::new_with_str_sequence_and_options(&Array::of1(&JsValue::from_str(content)), &bag).ok()?;
    let address = Url::create_object_url_with_blob(&blob).ok()?;
    let anchor: HtmlAnchorElement = browser::document().create_element("a").ok()?.unchecked_into();
    anchor.set_href(&address);
    anchor.set_download(name);
    anchor.click();
    // The browser has begun reading by then.
    browser::after_ms(10_000, move || {
        Url::revoke_object_url(&address).ok();
    });
    Some(())
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_bad_file_is_told_with_its_place() {
        let problems = parse("net.json", "{\n  \"hopscope\": 1,\n  \"network\": {]\n}").expect_err("bad");
        assert!(problems.0[0].at.contains("net.json") && problems.0[0].at.contains('3'), "{problems}");
        assert!(parse("x", r#"{"hopscope":1,"network":{"switches":[]}}"#).is_ok());
    }

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(file_name("My: net/work 8×8"), "my-net-work-8-8");
        assert_eq!(file_name("  "), "network");
    }
}

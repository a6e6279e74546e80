//! Opening and saving files. A bad one is explained and leaves the document as it was; a network in another format
//! is shown before it is opened.

use super::edits::PIECE;
use super::{Dialog, Msg, Page, browser};
use crate::edit;
use crate::stage::image;
use crate::text::{fill, message, text};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::formats::{self, Format, Imported, Options};
use hopscope_core::scenario::limits::MAX_FILE_BYTES;
use hopscope_core::scenario::{DrawnNetwork, NetworkSpec, Scenario};
use js_sys::Array;
use std::rc::Rc;
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

/// A network read from a file in a foreign format, not opened yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// The file's name.
    pub name: String,
    text: Rc<str>,
    /// Hosts put on every switch if the file has none.
    pub hosts_per_switch: u32,
    /// What was read.
    pub read: Imported,
}

impl Import {
    fn new(name: &str, text: Rc<str>, hosts_per_switch: u32) -> Result<Import, Problems> {
        let read = formats::import(name, &text, &Options { hosts_per_switch })?;
        Ok(Import { name: name.to_owned(), text, hosts_per_switch, read })
    }

    /// A scenario of the network, everything else as usual.
    fn scenario(&self) -> Scenario {
        let stem = self.name.rsplit_once('.').map_or(&*self.name, |(stem, _)| stem);
        Scenario {
            name: stem.to_owned(),
            network: NetworkSpec::Drawn(self.read.network.clone()),
            ..edit::blank()
        }
    }
}

/// What the stage can be saved as a picture of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// The network, to be scaled and edited.
    Svg,
    /// The stage as it is seen, worms and all.
    Png,
}

/// What a file holds.
enum Opened {
    Scenario(Box<Scenario>),
    Import(Box<Import>),
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
            return link
                .send_message(trouble(fill(text().file_too_large, &[&(MAX_FILE_BYTES >> 20)])));
        }
        match JsFuture::from(file.text()).await {
            Ok(content) => {
                link.send_message(Msg::OpenText(name, content.as_string().unwrap_or_default()))
            }
            Err(why) => link.send_message(trouble(format!("{why:?}"))),
        }
    });
}

impl Page {
    /// Opens the text of a file, or says what is wrong with it.
    pub(super) fn open_text(&mut self, link: &Scope<Page>, name: &str, content: &str) {
        match parse(name, content) {
            Ok(Opened::Scenario(piece)) if piece.name == PIECE => self.paste(*piece),
            Ok(Opened::Scenario(scenario)) => self.open(link, *scenario),
            Ok(Opened::Import(import)) => {
                self.file = None;
                self.import = Some(*import);
                self.dialog = Dialog::Import;
            }
            Err(problems) => self.file = Some(FileProblems { name: name.into(), problems }),
        }
    }

    /// Gives every switch of the network about to be opened so many hosts.
    pub(super) fn import_hosts(&mut self, hosts_per_switch: u32) {
        if let Some(import) = &self.import {
            match Import::new(&import.name, Rc::clone(&import.text), hosts_per_switch) {
                Ok(import) => self.import = Some(import),
                Err(problems) => {
                    self.file = Some(FileProblems { name: import.name.clone(), problems });
                    self.dialog = Dialog::None;
                }
            }
        }
    }

    /// Opens the network that was shown.
    pub(super) fn open_import(&mut self, link: &Scope<Page>) {
        if let Some(import) = self.import.take() {
            self.open(link, import.scenario());
        }
    }

    /// Saves the document as a scenario file.
    pub(super) fn save(&mut self, link: &Scope<Page>) {
        let scenario = self.document.scenario();
        let json = scenario.to_json();
        let name = format!("{}.hopscope.json", file_name(&scenario.name));
        if download_text(&name, &json, "application/json").is_some() {
            self.say(link, fill(text().saved, &[&name]));
        }
    }

    /// The network as it stands on the stage.
    fn network_shown(&self) -> DrawnNetwork {
        let mut scenario = (**self.document.scenario()).clone();
        let picture = &self.stage.picture;
        let network = edit::drawn(&mut scenario, &picture.network, &picture.switches);
        edit::stand(network, &picture.switches);
        network.clone()
    }

    /// Saves the network in a format; what the format cannot say is told.
    pub(super) fn export(&mut self, link: &Scope<Page>, format: Format) {
        let stem = file_name(&self.document.scenario().name);
        let name = format!("{stem}.{}", format.extensions()[0]);
        match formats::export(format, &self.network_shown()) {
            Ok((content, notes)) => {
                self.dialog = Dialog::None;
                if download_text(&name, &content, "text/plain").is_some() {
                    let notes = notes.iter().map(message);
                    let said = std::iter::once(fill(text().saved, &[&name])).chain(notes);
                    self.say(link, said.collect::<Vec<_>>().join(". "));
                }
            }
            Err(problems) => {
                self.dialog = Dialog::None;
                self.file = Some(FileProblems { name, problems });
            }
        }
    }

    /// Saves a picture of the stage.
    pub(super) fn save_picture(&mut self, link: &Scope<Page>, format: PictureFormat) {
        self.dialog = Dialog::None;
        let stem = file_name(&self.document.scenario().name);
        match format {
            PictureFormat::Svg => {
                let name = format!("{stem}.svg");
                let svg = image::svg(&self.stage.picture, &self.document.scenario().name);
                if download_text(&name, &svg, "image/svg+xml").is_some() {
                    self.say(link, fill(text().saved, &[&name]));
                }
            }
            PictureFormat::Png => {
                let (name, link) = (format!("{stem}.png"), link.clone());
                let saved = Closure::once_into_js(move |blob: JsValue| {
                    if let Ok(blob) = blob.dyn_into::<Blob>()
                        && download(&name, &blob).is_some()
                    {
                        link.send_message(Msg::Say(fill(text().saved, &[&name])));
                    }
                });
                self.stage.png(saved.unchecked_ref());
            }
        }
    }
}

/// A scenario file, or a network in another format; the error says where in it and why.
fn parse(name: &str, content: &str) -> Result<Opened, Problems> {
    let is_json =
        [Format::by_content(content), Format::by_name(name)].contains(&Some(Format::Json));
    if !is_json {
        let import = Import::new(name, content.into(), Options::default().hosts_per_switch)?;
        return Ok(Opened::Import(Box::new(import)));
    }
    let scenario = Scenario::read(content).map_err(|mut problems| {
        for problem in &mut problems.0 {
            problem.at =
                if problem.at.is_empty() { name.into() } else { format!("{name}, {}", problem.at) };
        }
        problems
    })?;
    Ok(Opened::Scenario(Box::new(scenario)))
}

/// The name without what file systems dislike.
fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || c == '-' { c } else { ' ' };
    let words: String = name.chars().map(safe).collect();
    let name = words.split_whitespace().collect::<Vec<_>>().join("-").to_lowercase();
    if name.is_empty() { "network".into() } else { name }
}

fn download_text(name: &str, content: &str, kind: &str) -> Option<()> {
    let bag = BlobPropertyBag::new();
    bag.set_type(kind);
    let blob =
        Blob::new_with_str_sequence_and_options(&Array::of1(&JsValue::from_str(content)), &bag)
            .ok()?;
    download(name, &blob)
}

fn download(name: &str, blob: &Blob) -> Option<()> {
    let address = Url::create_object_url_with_blob(blob).ok()?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_file_is_told_with_its_place() {
        let Err(problems) = parse("net.json", "{\n  \"hopscope\": 1,\n  \"network\": {]\n}") else {
            panic!("it is bad");
        };
        assert!(
            problems.0[0].at.contains("net.json") && problems.0[0].at.contains('3'),
            "{problems}"
        );
        let opened = parse("x", r#"{"hopscope":1,"network":{"switches":[]}}"#);
        assert!(matches!(opened, Ok(Opened::Scenario(_))));
    }

    #[test]
    fn a_network_in_another_format_is_told_by_name_or_content() {
        for name in ["net.dot", "pasted text"] {
            let Ok(Opened::Import(mut import)) = parse(name, "graph { a -- b; b -- c }") else {
                panic!("{name} is DOT");
            };
            assert!(!import.read.own_hosts);
            *import = Import::new(&import.name, Rc::clone(&import.text), 3).expect("as before");
            assert_eq!(import.read.network.hosts.len(), 9);
            assert!(import.scenario().validate().0.is_empty());
        }
        let Err(problems) = parse("net.graphml", "<graphml>\n<graph>\n<node/>") else {
            panic!("it is cut off")
        };
        assert!(problems.0[0].at.starts_with("net.graphml"), "{problems}");
        assert!(parse("x", "what is this").is_err());
    }

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(file_name("My: net/work 8×8"), "my-net-work-8-8");
        assert_eq!(file_name("  "), "network");
    }
}

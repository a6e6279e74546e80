//! Names of switches and hosts in files.
//!
//! A network's names are unique among its switches and among its hosts, and at most
//! [`MAX_NAME_BYTES`] long. Files have other rules, so a name may have to change on its way in or
//! out. Changes are counted for a note.

use super::messages;
use crate::message::Message;
use crate::network::Network;
use crate::scenario::limits::MAX_NAME_BYTES;
use std::collections::{BTreeMap, BTreeSet};

/// Makes names unique and not too long. Repeated names get a number: `name (2)`.
#[derive(Default)]
struct UniqueNames {
    used: BTreeSet<String>,
    /// How often each name was asked for.
    copies: BTreeMap<String, u32>,
}

impl UniqueNames {
    /// The name itself, or the next free name made from it. Control characters become spaces;
    /// `default` replaces a name of blanks.
    fn add(&mut self, name: &str, default: &str) -> String {
        let plain = name.replace(char::is_control, " ");
        let plain =
            if plain.trim().is_empty() { default } else { first_bytes(&plain, MAX_NAME_BYTES) };
        let mut name = plain.to_string();
        while !self.used.insert(name.clone()) {
            let copies = self.copies.entry(plain.to_string()).or_insert(1);
            *copies += 1;
            name = format!("{} ({copies})", first_bytes(plain, MAX_NAME_BYTES - 16));
        }
        name
    }
}

/// As many whole characters as fit into `max` bytes.
fn first_bytes(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}

/// The default name of the switch or host with an index.
fn default_name(host: bool, index: usize) -> String {
    format!("{} {index}", if host { "host" } else { "switch" })
}

/// The names of the switches or of the hosts of a file that is read.
pub(super) struct ReadNames {
    unique: UniqueNames,
    host: bool,
    count: usize,
    /// How many names had to change.
    pub changed: usize,
}

impl ReadNames {
    /// Of hosts, or else of switches.
    pub fn new(host: bool) -> Self {
        Self { unique: UniqueNames::default(), host, count: 0, changed: 0 }
    }

    /// The name of the next switch or host, which is empty in the network if it is the default one.
    pub fn add(&mut self, name: &str) -> String {
        let default = default_name(self.host, self.count);
        self.count += 1;
        let unique = self.unique.add(name, &default);
        self.changed += usize::from(unique != name && !name.trim().is_empty());
        if unique == default { String::new() } else { unique }
    }
}

/// The names of a network as a format writes them.
pub(super) struct WrittenNames {
    pub switches: Vec<String>,
    pub hosts: Vec<String>,
}

impl WrittenNames {
    /// Applies `expressible`, which removes what the format cannot express, and keeps names unique:
    /// among switches and among hosts, or with `shared` among all of them.
    pub fn new(network: &Network, expressible: fn(&str) -> String, shared: bool) -> Self {
        let write = |unique: &mut UniqueNames, name: &str, default: String| {
            unique.add(&expressible(&name.replace(char::is_control, " ")), &default)
        };
        let mut unique = UniqueNames::default();
        let switches = network.switches().iter().enumerate();
        let switches = switches
            .map(|(i, switch)| write(&mut unique, &switch.name, default_name(false, i)))
            .collect();
        if !shared {
            unique = UniqueNames::default();
        }
        let hosts = network.hosts().iter().enumerate();
        let hosts =
            hosts.map(|(i, host)| write(&mut unique, &host.name, default_name(true, i))).collect();
        Self { switches, hosts }
    }

    /// A note if names were changed.
    pub fn note(&self, network: &Network) -> Option<Message> {
        let switches = network.switches().iter().map(|switch| &switch.name).zip(&self.switches);
        let hosts = network.hosts().iter().map(|host| &host.name).zip(&self.hosts);
        let mut changed = switches.chain(hosts).filter(|(name, written)| name != written);
        let (first, _) = changed.next()?;
        Some(messages::note_names_changed(1 + changed.count(), first))
    }
}

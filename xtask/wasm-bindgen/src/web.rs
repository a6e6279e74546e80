//! What refers to what in a program, and which of its functions the rest begins with.

use crate::links::{Link, Links};
use std::collections::{BTreeMap, BTreeSet};
use walrus::ir::{Visitor, dfs_in_order};
use walrus::{FunctionId, GlobalId, Module, TableId};

/// Which functions go into the rest: each line is part of the names it means, of their generic arguments only if it has
/// a `<`; `!` before it takes them back, and the last line that fits decides. Closures go with what makes them. Functions
/// alike, as closures and those of one generic function often are, may be one, under the name of any of them.
pub struct Rules<'a>(Vec<(&'a str, bool)>);

impl Rules<'_> {
    pub fn read(text: &str) -> Rules<'_> {
        let lines =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Rules(
            lines
                .map(|line| line.strip_prefix('!').map_or((line, true), |line| (line, false)))
                .collect(),
        )
    }

    pub fn mean(&self, name: &str) -> bool {
        let whole = format!("{:#}", rustc_demangle::demangle(name));
        let path = without_arguments(&whole);
        if path.contains("{closure") {
            return false;
        }
        let fits = |part: &str| {
            if part.contains('<') { whole.contains(part) } else { path.contains(part) }
        };
        self.0.iter().rev().find(|(part, _)| fits(part)).is_some_and(|(_, rest)| *rest)
    }
}

/// A function's name without what its generic parts are made for.
fn without_arguments(name: &str) -> String {
    let mut path = String::new();
    let mut depth = 0;
    let mut before = ' ';
    for letter in name.chars() {
        match letter {
            '<' if depth > 0 || before == ':' || before == '_' || before.is_alphanumeric() => {
                depth += 1
            }
            '>' if depth > 0 && before != '-' => depth -= 1,
            _ if depth == 0 => path.push(letter),
            _ => {}
        }
        before = letter;
    }
    path
}

/// What functions use.
#[derive(Default)]
pub struct Uses {
    pub functions: BTreeSet<FunctionId>,
    pub globals: BTreeSet<GlobalId>,
    pub tables: BTreeSet<TableId>,
}

impl Visitor<'_> for Uses {
    fn visit_function_id(&mut self, function: &FunctionId) {
        self.functions.insert(*function);
    }
    fn visit_global_id(&mut self, global: &GlobalId) {
        self.globals.insert(*global);
    }
    fn visit_table_id(&mut self, table: &TableId) {
        self.tables.insert(*table);
    }
}

/// What refers to what, in all of a program.
pub struct Web<'a> {
    pub uses: BTreeMap<FunctionId, Uses>,
    by_name: BTreeMap<&'a str, Vec<FunctionId>>,
    pub names: BTreeMap<FunctionId, &'a str>,
    links: &'a Links<'a>,
}

/// A function or a piece of data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    Function(FunctionId),
    Data(usize),
}

impl<'a> Web<'a> {
    pub fn of(program: &'a Module, links: &'a Links<'a>) -> Web<'a> {
        let uses = program.funcs.iter_local().map(|(id, function)| {
            let mut uses = Uses::default();
            dfs_in_order(&mut uses, function, function.entry_block());
            (id, uses)
        });
        let mut web =
            Web { uses: uses.collect(), by_name: BTreeMap::new(), names: BTreeMap::new(), links };
        for function in program.funcs.iter() {
            if let Some(name) = &function.name {
                web.by_name.entry(name).or_default().push(function.id());
                web.names.insert(function.id(), name);
            }
        }
        web
    }

    fn linked<'b>(&'b self, links: &'b [Link<'b>]) -> impl Iterator<Item = Node> + 'b {
        links.iter().flat_map(|link| match link {
            Link::Function(name) => {
                self.by_name.get(name).into_iter().flatten().map(|id| Node::Function(*id)).collect()
            }
            Link::Data(piece) => vec![Node::Data(*piece)],
        })
    }

    /// All that is reached from some places; what lies behind those that stop is not.
    pub fn reached(
        &self,
        from: impl IntoIterator<Item = Node>,
        stops: impl Fn(&FunctionId) -> bool,
    ) -> BTreeSet<Node> {
        let mut seen: BTreeSet<Node> = from.into_iter().collect();
        let mut open: Vec<Node> = seen.iter().copied().collect();
        while let Some(node) = open.pop() {
            let mut go = |next: Node| {
                if seen.insert(next) {
                    open.push(next);
                }
            };
            match node {
                Node::Function(id) if stops(&id) => {}
                Node::Function(id) => {
                    self.uses
                        .get(&id)
                        .into_iter()
                        .flat_map(|uses| &uses.functions)
                        .for_each(|id| go(Node::Function(*id)));
                    let links = self.names.get(&id).and_then(|name| self.links.functions.get(name));
                    self.linked(links.map_or(&[], Vec::as_slice)).for_each(&mut go);
                }
                Node::Data(piece) => self.linked(&self.links.data[piece].links).for_each(&mut go),
            }
        }
        seen
    }

    /// Functions whose address something takes, as far as the linker knows.
    pub fn taken(&self) -> BTreeSet<Node> {
        let all =
            self.links.functions.values().chain(self.links.data.iter().map(|piece| &piece.links));
        all.flat_map(|links| self.linked(links)).collect()
    }
}

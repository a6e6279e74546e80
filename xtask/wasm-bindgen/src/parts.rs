//! Cuts a program in two: what the page needs until its first scenario runs, and the rest, which it fetches afterwards.
//!
//! Both parts share one memory and one table of functions. In the first part a function of the rest is a few bytes that
//! attach the rest, unless it is there, and go on in it through the table. So where the cut runs changes what is
//! downloaded when, never what is computed. `app/later.txt` names functions of the rest; what only they refer to,
//! functions and data, goes with them.

use crate::links::{Links, Piece};
use crate::web::{Node, Rules, Uses, Web};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use walrus::ir::{BinaryOp, Value};
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId,
    FunctionKind, GlobalKind, ImportKind, ImportedFunction, Module, ModuleConfig, TableId, ValType,
};

/// What the program exports to have its rest attached (app/src/rest.rs).
const ATTACH: &str = "attach_rest";
/// Under this name the rest imports from the first part.
const FIRST: &str = "first";
/// The rest has its own copy of a function of the first part that has no more instructions: calls within a part are faster,
/// and each call across is an export of the first.
const MAX_COPIED: u64 = 300;
/// A hole in the data this small is not worth its edges.
const MIN_HOLE_BYTES: usize = 24;

/// The first part and the rest of a program, as wasm-bindgen and as the linker left it.
pub fn cut(program: &[u8], linked: &[u8], rules: &str) -> Result<[Vec<u8>; 2]> {
    let mut config = ModuleConfig::new();
    // For whoever looks for what could go.
    let names = std::env::var_os("HOPSCOPE_KEEP_NAMES").is_some();
    config.generate_name_section(names).generate_producers_section(false);
    let (rules, links) = (Rules::read(rules), Links::read(linked)?);
    let (mut first, mut rest) = (config.parse(program)?, config.parse(program)?);
    Cut::new(&first, &rules, &links)?.keep_first(&mut first)?;
    Cut::new(&rest, &rules, &links)?.keep_rest(&mut rest)?;
    Ok([first.emit_wasm(), rest.emit_wasm()])
}

/// Where the cut runs. The same whenever the same program is read, but for the ids.
struct Cut<'a> {
    /// Functions of the first part.
    first: BTreeSet<FunctionId>,
    /// Functions of the rest that the first part calls or has the address of, in the order of their new places in the table.
    entries: Vec<FunctionId>,
    /// Functions of the rest in the table that only the rest has the address of.
    hidden: BTreeSet<FunctionId>,
    /// What the rest uses of the first part.
    shared: Uses,
    /// Data only the rest refers to.
    data: Vec<&'a Piece<'a>>,
    /// All other data.
    first_data: Vec<&'a Piece<'a>>,
    table: TableId,
    /// The first new place in the table.
    places: u64,
}

impl<'a> Cut<'a> {
    fn new(program: &Module, rules: &Rules, links: &'a Links<'a>) -> Result<Cut<'a>> {
        let web = Web::of(program, links);
        let ruled: BTreeSet<FunctionId> = web
            .names
            .iter()
            .filter(|(id, name)| web.uses.contains_key(id) && rules.mean(name))
            .map(|(id, _)| *id)
            .collect();

        let exported = program.exports.iter().filter_map(|export| match export.item {
            ExportItem::Function(id) => Some(Node::Function(id)),
            _ => None,
        });
        let listed: BTreeSet<FunctionId> =
            program.elements.iter().flat_map(|element| functions(&element.items)).collect();
        let taken = web.taken();
        // What wasm-bindgen put into the table.
        let unexplained =
            listed.iter().map(|id| Node::Function(*id)).filter(|node| !taken.contains(node));
        let roots = exported.chain(unexplained).chain(program.start.map(Node::Function));
        let seen = web.reached(roots, |id| ruled.contains(id));
        let (entries, first): (BTreeSet<_>, BTreeSet<_>) = seen
            .iter()
            .filter_map(|node| if let Node::Function(id) = node { Some(*id) } else { None })
            .partition(|id| ruled.contains(id));

        let is_shared = |id: &FunctionId| {
            first.contains(id)
                && match &program.funcs.get(*id).kind {
                    FunctionKind::Local(function) => function.size() > MAX_COPIED,
                    _ => true,
                }
        };
        let mut shared = Uses::default();
        let mut hidden = BTreeSet::new();
        for node in web.reached(entries.iter().map(|id| Node::Function(*id)), |id| is_shared(id)) {
            let Node::Function(id) = node else { continue };
            match web.uses.get(&id).filter(|_| !is_shared(&id)) {
                Some(uses) => {
                    shared.globals.extend(&uses.globals);
                    shared.tables.extend(&uses.tables);
                    if listed.contains(&id) && !entries.contains(&id) && !first.contains(&id) {
                        hidden.insert(id);
                    }
                }
                None => drop(shared.functions.insert(id)),
            }
        }
        let (first_data, data) = links
            .data
            .iter()
            .enumerate()
            .partition::<Vec<_>, _>(|(number, _)| seen.contains(&Node::Data(*number)));
        let table =
            program.tables.main_function_table()?.context("a program has a table of functions")?;
        shared.tables.insert(table);
        Ok(Cut {
            first,
            entries: entries.into_iter().collect(),
            hidden,
            shared,
            data: data.into_iter().map(|(_, piece)| piece).collect(),
            first_data: first_data.into_iter().map(|(_, piece)| piece).collect(),
            table,
            places: program.tables.get(table).initial,
        })
    }

    /// Makes the whole program its first part.
    fn keep_first(&self, program: &mut Module) -> Result<()> {
        let attach =
            program.exports.get_func(ATTACH).context("the program cannot attach its rest")?;
        let attached =
            program.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
        let mut ready = FunctionBuilder::new(&mut program.types, &[], &[]);
        ready.func_body().global_get(attached).i32_const(0).binop(BinaryOp::I32Eq).if_else(
            None,
            |absent| {
                absent.call(attach).i32_const(1).global_set(attached);
            },
            |_| {},
        );
        let ready = ready.finish(Vec::new(), &mut program.funcs);
        for (place, &id) in (self.places..).zip(&self.entries) {
            let ty = program.funcs.get(id).ty();
            let (params, results) =
                (program.types.params(ty).to_vec(), program.types.results(ty).to_vec());
            let args: Vec<_> = params.iter().map(|param| program.locals.add(*param)).collect();
            let mut builder = FunctionBuilder::new(&mut program.types, &params, &results);
            let mut body = builder.func_body();
            body.call(ready);
            for arg in &args {
                body.local_get(*arg);
            }
            body.i32_const(place as i32).call_indirect(ty, self.table);
            program.funcs.get_mut(id).kind = FunctionKind::Local(builder.local_func(args));
        }
        // The rest fills the places of its own functions; nobody asks for them before.
        for element in program.elements.iter_mut() {
            if let ElementItems::Functions(ids) = &mut element.items {
                let stays = |id: &FunctionId| {
                    self.first.contains(id) || self.entries.binary_search(id).is_ok()
                };
                ids.iter_mut().filter(|id| !stays(id)).for_each(|id| *id = ready);
            }
        }
        self.widen_table(program);
        self.split_data(program, true)?;

        let shared = &self.shared;
        for (n, id) in shared.functions.iter().enumerate() {
            program.exports.add(&format!("f{n}"), *id);
        }
        for (n, id) in shared.globals.iter().enumerate() {
            program.exports.add(&format!("g{n}"), *id);
        }
        for (n, id) in shared.tables.iter().enumerate() {
            program.exports.add(&format!("t{n}"), *id);
        }
        drop_customs(program);
        walrus::passes::gc::run(program);
        Ok(())
    }

    /// Makes the whole program its rest.
    fn keep_rest(&self, program: &mut Module) -> Result<()> {
        self.split_data(program, false)?;
        program.start = None;
        let memory = program.memories.iter().next().context("a program has a memory")?.id();
        let mut memory_name = None;
        let exports: Vec<_> = program.exports.iter().map(|export| export.id()).collect();
        for id in exports {
            let export = program.exports.get(id);
            if let ExportItem::Memory(_) = export.item {
                memory_name = Some(export.name.clone());
            }
            program.exports.delete(id);
        }
        let memory_name = memory_name.context("JavaScript reads a program's memory")?;
        let import = program.imports.add(FIRST, &memory_name, ImportKind::Memory(memory));
        program.memories.get_mut(memory).import = Some(import);

        let shared = &self.shared;
        for (n, &id) in shared.functions.iter().enumerate() {
            let (name, ty) = (format!("f{n}"), program.funcs.get(id).ty());
            if let FunctionKind::Import(from) = &program.funcs.get(id).kind {
                let import = program.imports.get_mut(from.import);
                (import.module, import.name) = (FIRST.into(), name);
            } else {
                let import = program.imports.add(FIRST, &name, ImportKind::Function(id));
                program.funcs.get_mut(id).kind =
                    FunctionKind::Import(ImportedFunction { import, ty });
            }
        }
        for (n, &id) in shared.globals.iter().enumerate() {
            let import = program.imports.add(FIRST, &format!("g{n}"), ImportKind::Global(id));
            program.globals.get_mut(id).kind = GlobalKind::Import(import);
        }
        for (n, &id) in shared.tables.iter().enumerate() {
            let import = program.imports.add(FIRST, &format!("t{n}"), ImportKind::Table(id));
            program.tables.get_mut(id).import = Some(import);
        }
        self.fill_table(program)?;
        self.widen_table(program);
        drop_customs(program);
        walrus::passes::gc::run(program);
        Ok(())
    }

    fn widen_table(&self, program: &mut Module) {
        let table = program.tables.get_mut(self.table);
        table.initial += self.entries.len() as u64;
        table.maximum = table.maximum.map(|most| most.max(table.initial));
    }

    /// Has the rest put its functions into the table.
    fn fill_table(&self, program: &mut Module) -> Result<()> {
        let mut runs: Vec<(u32, Vec<FunctionId>)> =
            vec![(self.places as u32, self.entries.clone())];
        for element in program.elements.iter() {
            let ElementKind::Active { offset, .. } = &element.kind else { continue };
            let mut next = None;
            for (place, id) in (constant(offset)?..).zip(functions(&element.items)) {
                if !self.hidden.contains(&id) {
                    continue;
                }
                match runs.last_mut().filter(|_| next == Some(place)) {
                    Some((_, run)) => run.push(id),
                    None => runs.push((place, vec![id])),
                }
                next = Some(place + 1);
            }
        }
        let old: Vec<_> = program.elements.iter().map(|element| element.id()).collect();
        program.tables.iter_mut().for_each(|table| table.elem_segments.clear());
        old.into_iter().for_each(|id| program.elements.delete(id));
        for (place, ids) in runs {
            let kind = ElementKind::Active {
                table: self.table,
                offset: ConstExpr::Value(Value::I32(place as i32)),
            };
            let id = program.elements.add(kind, ElementItems::Functions(ids));
            program.tables.get_mut(self.table).elem_segments.insert(id);
        }
        Ok(())
    }

    /// Leaves the data of one part.
    fn split_data(&self, program: &mut Module, first: bool) -> Result<()> {
        let old: Vec<_> = program.data.iter().map(|data| data.id()).collect();
        for id in old {
            let data = program.data.get(id);
            let DataKind::Active { memory, offset } = &data.kind else { continue };
            let (memory, start, bytes) = (*memory, constant(offset)?, data.value.clone());
            // Whose the bytes are; what nobody names is not moved.
            let mut is_rest = vec![false; bytes.len()];
            for (pieces, rest) in [(&self.data, true), (&self.first_data, false)] {
                for piece in pieces {
                    let from = piece.bytes.start.max(start) - start;
                    let to = piece.bytes.end.min(start + bytes.len() as u32).saturating_sub(start);
                    if from < to {
                        is_rest[from as usize..to as usize].fill(rest);
                    }
                }
            }
            for hole in is_rest.chunk_by_mut(|a, b| a == b) {
                if hole[0] && hole.len() < MIN_HOLE_BYTES {
                    hole.fill(false);
                }
            }
            program.data.delete(id);
            program.memories.get_mut(memory).data_segments.remove(&id);
            let mut at = 0;
            for run in is_rest.chunk_by(|a, b| a == b) {
                if run[0] != first {
                    let offset = ConstExpr::Value(Value::I32((start as usize + at) as i32));
                    let value = bytes[at..at + run.len()].to_vec();
                    let id = program.data.add(DataKind::Active { memory, offset }, value);
                    program.memories.get_mut(memory).data_segments.insert(id);
                }
                at += run.len();
            }
        }
        Ok(())
    }
}

fn functions(items: &ElementItems) -> Vec<FunctionId> {
    match items {
        ElementItems::Functions(ids) => ids.clone(),
        ElementItems::Expressions(..) => Vec::new(),
    }
}

fn constant(offset: &ConstExpr) -> Result<u32> {
    match offset {
        ConstExpr::Value(Value::I32(value)) => Ok(*value as u32),
        _ => anyhow::bail!("a place not known before the program runs"),
    }
}

/// Of use to tools only, and no longer true.
fn drop_customs(program: &mut Module) {
    let all: Vec<_> = program.customs.iter().map(|(id, _)| id).collect();
    all.into_iter().for_each(|id| drop(program.customs.delete(id)));
}

//! What refers to what in a program as the linker left it: its relocations say which function or piece of data takes the
//! address of which. Calls are not among them; they can be read off the code.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::ops::Range;
use wasmparser::{
    DataKind, KnownCustom, Linking, Name, Operator, Parser, Payload, RelocationEntry, SymbolInfo,
    TypeRef,
};

/// Something whose address is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link<'a> {
    /// A function, by its name.
    Function(&'a str),
    /// A piece of data, by its place among [`Links::data`].
    Data(usize),
}

/// A piece of data.
pub struct Piece<'a> {
    /// Where it lies in memory.
    pub bytes: Range<u32>,
    /// What is in it.
    pub links: Vec<Link<'a>>,
}

/// All links.
#[derive(Default)]
pub struct Links<'a> {
    /// What functions take, by their names.
    pub functions: BTreeMap<&'a str, Vec<Link<'a>>>,
    /// All data the linker placed.
    pub data: Vec<Piece<'a>>,
}

/// A part of the program's file, and what it becomes.
struct Place<T> {
    file: Range<usize>,
    is: T,
}

#[derive(Default)]
struct Sections<'a> {
    imported_functions: u32,
    names: BTreeMap<u32, &'a str>,
    symbols: Vec<SymbolInfo<'a>>,
    code_start: usize,
    data_start: usize,
    /// Functions in the code, by their numbers.
    code: Vec<Place<u32>>,
    /// Segments of data, with their addresses.
    segments: Vec<Place<u32>>,
    in_code: Vec<RelocationEntry>,
    in_data: Vec<RelocationEntry>,
}

impl<'a> Links<'a> {
    /// Reads them from a program linked with `--emit-relocs`.
    pub fn read(program: &'a [u8]) -> Result<Links<'a>> {
        let sections = Sections::read(program)?;
        let mut links = Links::default();
        // The data of each symbol that has any.
        let mut pieces = vec![None; sections.symbols.len()];
        for (symbol, piece) in sections.symbols.iter().zip(&mut pieces) {
            if let SymbolInfo::Data { symbol: Some(at), .. } = symbol
                && let Some(segment) = sections.segments.get(at.index as usize)
            {
                let start = segment.is + at.offset;
                *piece = Some(links.data.len());
                links.data.push(Piece { bytes: start..start + at.size, links: Vec::new() });
            }
        }
        let target = |entry: &RelocationEntry| match sections.symbols.get(entry.index as usize)? {
            SymbolInfo::Func { index, .. } => {
                sections.names.get(index).map(|name| Link::Function(name))
            }
            SymbolInfo::Data { .. } => pieces[entry.index as usize].map(Link::Data),
            _ => None,
        };
        for entry in sections.in_code.iter().filter(|entry| takes_address(entry)) {
            let at = sections.code_start + entry.offset as usize;
            let place = &sections.code[sections.code.partition_point(|place| place.file.end <= at)];
            if let (Some(name), Some(link)) = (sections.names.get(&place.is), target(entry)) {
                links.functions.entry(name).or_default().push(link);
            }
        }
        // By where they end, so that the piece an address lies in is found; pieces may share their bytes.
        let mut order: Vec<usize> = (0..links.data.len()).collect();
        order.sort_by_key(|&piece| links.data[piece].bytes.start);
        for entry in sections.in_data.iter().filter(|entry| takes_address(entry)) {
            let at = sections.data_start + entry.offset as usize;
            let place = sections
                .segments
                .iter()
                .find(|place| place.file.contains(&at))
                .context("links in data")?;
            let (address, link) = (place.is + (at - place.file.start) as u32, target(entry));
            let after = order.partition_point(|&piece| links.data[piece].bytes.start <= address);
            let mut found = false;
            for &piece in order[..after].iter().rev() {
                if links.data[piece].bytes.contains(&address) {
                    links.data[piece].links.extend(link);
                    found = true;
                } else if found {
                    break;
                }
            }
        }
        Ok(links)
    }
}

fn takes_address(entry: &RelocationEntry) -> bool {
    use wasmparser::RelocationType as Type;
    matches!(
        entry.ty,
        Type::TableIndexSleb
            | Type::TableIndexI32
            | Type::MemoryAddrLeb
            | Type::MemoryAddrSleb
            | Type::MemoryAddrI32
    )
}

impl<'a> Sections<'a> {
    fn read(program: &'a [u8]) -> Result<Sections<'a>> {
        let mut all = Sections::default();
        for payload in Parser::new(0).parse_all(program) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        all.imported_functions += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionStart { range, .. } => all.code_start = range.start,
                Payload::CodeSectionEntry(body) => {
                    let number = all.imported_functions + all.code.len() as u32;
                    all.code.push(Place { file: body.range(), is: number });
                }
                Payload::DataSection(segments) => {
                    all.data_start = segments.range().start;
                    for segment in segments {
                        let segment = segment?;
                        let end = segment.range.end;
                        let file = end - segment.data.len()..end;
                        all.segments.push(Place { file, is: address(&segment.kind)? });
                    }
                }
                Payload::CustomSection(section) => match section.as_known() {
                    KnownCustom::Name(names) => {
                        for part in names {
                            if let Name::Function(functions) = part? {
                                for naming in functions {
                                    let naming = naming?;
                                    all.names.insert(naming.index, naming.name);
                                }
                            }
                        }
                    }
                    KnownCustom::Linking(parts) => {
                        for part in parts {
                            if let Linking::SymbolTable(symbols) = part? {
                                all.symbols = symbols.into_iter().collect::<Result<_, _>>()?;
                            }
                        }
                    }
                    KnownCustom::Reloc(entries) => {
                        let entries = entries.entries().into_iter().collect::<Result<_, _>>()?;
                        match section.name() {
                            "reloc.CODE" => all.in_code = entries,
                            "reloc.DATA" => all.in_data = entries,
                            _ => {}
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        anyhow::ensure!(!all.in_code.is_empty(), "the program was linked without --emit-relocs");
        Ok(all)
    }
}

fn address(kind: &DataKind<'_>) -> Result<u32> {
    let DataKind::Active { offset_expr, .. } = kind else {
        anyhow::bail!("data without an address")
    };
    match offset_expr.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(value as u32),
        _ => anyhow::bail!("data at an address not known"),
    }
}

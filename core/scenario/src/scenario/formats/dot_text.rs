//! The DOT language: from text to a graph with attributes. Layout is read over.

use super::attributed::{Attributes, Edge, Graph, Vertex};
use super::parts::Parts;
use super::{MAX_DEPTH, Source};
use crate::message::Message;
use crate::problem::Problems;
use crate::scenario::limits::{MAX_HOSTS, MAX_LINKS, MAX_SWITCHES};
use std::collections::BTreeMap;
use std::rc::Rc;

const MAX_VERTICES: usize = MAX_SWITCHES + MAX_HOSTS;
const MAX_EDGES: usize = 2 * (MAX_LINKS + MAX_HOSTS);

#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// A bare word or number; may be a keyword.
    Word(String),
    /// Quoted or HTML text; never a keyword.
    Text(String),
    /// `{ } [ ] = ; , : +`
    Sign(char),
    /// `->` or `--`.
    Edge {
        directed: bool,
    },
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let short = |text: &str| text.chars().take(40).collect::<String>();
        match self {
            Self::Word(word) => write!(f, "`{}`", short(word)),
            Self::Text(text) => write!(f, "\"{}\"", short(text)),
            Self::Sign(sign) => write!(f, "`{sign}`"),
            Self::Edge { directed } => write!(f, "{}", if *directed { "`->`" } else { "`--`" }),
            Self::End => write!(f, "the end of the file"),
        }
    }
}

struct Lexer<'a> {
    source: Source<'a>,
    rest: &'a str,
    line: usize,
    at_line_start: bool,
}

impl<'a> Lexer<'a> {
    fn problem(&self, line: usize, why: impl Into<Message>, fix: &str) -> Problems {
        Problems::one(self.source.line(line), why, fix)
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|&b| b == b'\n').count();
        // Blanks before a `#` do not matter.
        let after_break = taken.rsplit('\n').next().unwrap_or_default();
        let broken = taken.contains('\n') || self.at_line_start;
        self.at_line_start = broken && after_break.trim().is_empty();
        self.rest = rest;
        taken
    }

    fn skip_blanks(&mut self) -> Result<(), Problems> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            if blanks > 0 {
                self.skip(blanks);
            } else if self.rest.starts_with("//")
                || (self.rest.starts_with('#') && self.at_line_start)
            {
                self.skip(self.rest.find('\n').map_or(self.rest.len(), |at| at + 1));
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest.find("*/") else {
                    return Err(self.problem(
                        self.line,
                        "this comment is not closed",
                        "end it with */",
                    ));
                };
                self.skip(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<Token, Problems> {
        self.skip_blanks()?;
        let line = self.line;
        let mut chars = self.rest.chars();
        let Some(first) = chars.next() else { return Ok(Token::End) };
        let second = chars.next();
        match (first, second) {
            ('-', Some('>')) | ('-', Some('-')) => {
                self.skip(2);
                Ok(Token::Edge { directed: second == Some('>') })
            }
            ('{' | '}' | '[' | ']' | '=' | ';' | ',' | ':' | '+', _) => {
                self.skip(1);
                Ok(Token::Sign(first))
            }
            ('"', _) => self.quoted().map(Token::Text),
            ('<', _) => self.html().map(Token::Text),
            _ => {
                let part = |c: char| {
                    c.is_alphanumeric()
                        || c == '_'
                        || c == '.'
                        || !c.is_ascii()
                        || (c == '-' && first == '-')
                };
                let length = self.rest.find(|c| !part(c)).unwrap_or(self.rest.len());
                if length == 0 {
                    return Err(self.problem(
                        line,
                        format!("`{first}` is no part of the DOT language"),
                        "put names in quotes",
                    ));
                }
                Ok(Token::Word(self.skip(length).to_string()))
            }
        }
    }

    fn quoted(&mut self) -> Result<String, Problems> {
        let (line, mut text, mut escaped) = (self.line, String::new(), false);
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => {
                    // Only the quote is unescaped by the language; a line break after `\` joins lines.
                    if c != '"' && c != '\n' {
                        text.push('\\');
                    }
                    if c != '\n' {
                        text.push(c);
                    }
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    self.skip(at + 1);
                    return Ok(text);
                }
                _ => text.push(c),
            }
        }
        Err(self.problem(line, "this quoted text is not closed", "end it with a quote"))
    }

    fn html(&mut self) -> Result<String, Problems> {
        let (line, mut depth) = (self.line, 0);
        for (at, c) in self.rest.char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(self.skip(at + 1).to_string());
            }
        }
        Err(self.problem(line, "this HTML text is not closed", "end it with >"))
    }
}

/// Attributes that new nodes and edges get in a scope.
#[derive(Clone, Default)]
struct Defaults {
    vertex: Attributes,
    edge: Attributes,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    /// Line of `token`.
    line: usize,
    directed: bool,
    graph: Graph,
    index: BTreeMap<String, usize>,
}

/// Reads a graph.
pub(super) fn parse(source: Source<'_>) -> Result<Graph, Problems> {
    let lexer = Lexer { source, rest: source.text, line: 1, at_line_start: true };
    let mut parser = Parser {
        lexer,
        token: Token::End,
        line: 1,
        directed: false,
        graph: Graph::default(),
        index: BTreeMap::new(),
    };
    parser.advance()?;
    parser.file()?;
    Ok(parser.graph)
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<Token, Problems> {
        let next = self.lexer.next()?;
        // Tokens hold no line break but in quotes, so the end's line is near enough.
        self.line = self.lexer.line;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn expected<T>(&self, what: &str) -> Result<T, Problems> {
        Err(self.lexer.problem(
            self.line,
            format!("{} where {what} was expected", self.token),
            "check this line",
        ))
    }

    /// Takes a keyword, if it is there.
    fn keyword(&mut self, keyword: &str) -> Result<bool, Problems> {
        let there = matches!(&self.token, Token::Word(word) if word.eq_ignore_ascii_case(keyword));
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn sign(&mut self, sign: char) -> Result<bool, Problems> {
        let there = self.token == Token::Sign(sign);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn expect(&mut self, sign: char) -> Result<(), Problems> {
        if self.sign(sign)? { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    /// An identifier: a word, or quoted texts joined by `+`.
    fn id(&mut self) -> Result<Option<String>, Problems> {
        match &self.token {
            Token::Word(_) => match self.advance()? {
                Token::Word(word) => Ok(Some(word)),
                _ => unreachable!("it was a word"),
            },
            Token::Text(_) => {
                let mut text = String::new();
                loop {
                    match self.advance()? {
                        Token::Text(part) => text.push_str(&part),
                        _ => unreachable!("it was a text"),
                    }
                    if !self.sign('+')? {
                        return Ok(Some(text));
                    }
                    if !matches!(self.token, Token::Text(_)) {
                        return self.expected("quoted text after `+`");
                    }
                }
            }
            _ => Ok(None),
        }
    }

    fn file(&mut self) -> Result<(), Problems> {
        self.graph.strict = self.keyword("strict")?;
        self.directed = self.keyword("digraph")?;
        if !self.directed && !self.keyword("graph")? {
            return self.expected("`graph` or `digraph`");
        }
        self.id()?;
        self.expect('{')?;
        self.statements(&mut Defaults::default(), 0)?;
        if self.token == Token::End {
            Ok(())
        } else {
            self.expected("the end of the file, after the graph,")
        }
    }

    /// Statements up to and including the closing brace; returns the nodes named in them.
    fn statements(
        &mut self,
        defaults: &mut Defaults,
        depth: usize,
    ) -> Result<Vec<usize>, Problems> {
        if depth > MAX_DEPTH {
            return Err(self.lexer.problem(
                self.line,
                "subgraphs are nested too deep",
                "use fewer levels",
            ));
        }
        let mut named = Vec::new();
        while !self.sign('}')? {
            if self.sign(';')? {
                continue;
            }
            if self.token == Token::End {
                return self.expected("`}`");
            }
            named.extend(self.statement(defaults, depth)?);
        }
        named.sort();
        named.dedup();
        Ok(named)
    }

    fn statement(&mut self, defaults: &mut Defaults, depth: usize) -> Result<Vec<usize>, Problems> {
        for keyword in ["graph", "node", "edge"] {
            if self.keyword(keyword)? {
                let attributes = self.attributes()?;
                match keyword {
                    "node" => defaults.vertex = attributes.over(&defaults.vertex),
                    "edge" => defaults.edge = attributes.over(&defaults.edge),
                    _ => {}
                }
                return Ok(Vec::new());
            }
        }
        let line = self.line;
        let before = self.graph.vertices.len();
        let Some(first) = self.ends(defaults, depth, true)? else { return Ok(Vec::new()) };
        if !matches!(self.token, Token::Edge { .. }) {
            let attributes = self.attributes()?;
            if let [only] = first[..] {
                let vertex = &mut self.graph.vertices[only];
                // A node's own attributes go before what it had, which may be defaults.
                vertex.attributes = attributes.over(&vertex.attributes);
                vertex.line = if only >= before { line } else { vertex.line };
            }
            return Ok(first);
        }
        let mut chain = vec![first];
        while let Token::Edge { directed } = self.token {
            if directed != self.directed {
                return self.expected(if self.directed {
                    "`->` in a digraph"
                } else {
                    "`--` in a graph"
                });
            }
            self.advance()?;
            match self.ends(defaults, depth, false)? {
                Some(ends) => chain.push(ends),
                None => return self.expected("a node"),
            }
        }
        let attributes = Rc::new(self.attributes()?.over(&defaults.edge));
        for (from, to) in chain
            .windows(2)
            .flat_map(|w| w[0].iter().flat_map(|a| w[1].iter().map(move |b| (*a, *b))))
        {
            if self.graph.edges.len() >= MAX_EDGES {
                return Err(Parts::too_many_problem(self.lexer.source, line));
            }
            let attributes = Rc::clone(&attributes);
            self.graph.edges.push(Edge { from, to, directed: self.directed, line, attributes });
        }
        Ok(chain.concat())
    }

    /// A node with its port, or a subgraph; `None` after `name = value`, which may only begin a statement.
    fn ends(
        &mut self,
        defaults: &Defaults,
        depth: usize,
        begins: bool,
    ) -> Result<Option<Vec<usize>>, Problems> {
        let subgraph = self.keyword("subgraph")?;
        if subgraph && self.token != Token::Sign('{') {
            self.id()?;
        }
        if self.sign('{')? {
            return self.statements(&mut defaults.clone(), depth + 1).map(Some);
        }
        if subgraph {
            return self.expected("`{`");
        }
        let line = self.line;
        let Some(name) = self.id()? else { return self.expected("a node, an edge or `}`") };
        if begins && self.sign('=')? {
            if self.id()?.is_none() {
                return self.expected("a value");
            }
            return Ok(None);
        }
        for _port_then_compass in 0..2 {
            if self.sign(':')? && self.id()?.is_none() {
                return self.expected("a port");
            }
        }
        Ok(Some(vec![self.vertex(name, line, defaults)?]))
    }

    fn vertex(
        &mut self,
        name: String,
        line: usize,
        defaults: &Defaults,
    ) -> Result<usize, Problems> {
        if let Some(&known) = self.index.get(&name) {
            return Ok(known);
        }
        let index = self.graph.vertices.len();
        if index >= MAX_VERTICES {
            return Err(Parts::too_many_problem(self.lexer.source, line));
        }
        self.index.insert(name.clone(), index);
        self.graph.vertices.push(Vertex { name, line, attributes: defaults.vertex.clone() });
        Ok(index)
    }

    /// Any number of `[key=value, ...]`.
    fn attributes(&mut self) -> Result<Attributes, Problems> {
        let mut attributes = Attributes::default();
        while self.sign('[')? {
            while !self.sign(']')? {
                if self.sign(',')? || self.sign(';')? {
                    continue;
                }
                let Some(key) = self.id()? else { return self.expected("an attribute or `]`") };
                if self.sign('=')? {
                    match self.id()? {
                        Some(value) => attributes.set(&key, &value),
                        None => return self.expected("a value"),
                    }
                }
            }
        }
        Ok(attributes)
    }
}

//! Parser of the DOT language (graphviz.org/doc/info/lang.html): from text to a graph with
//! attributes.
//!
//! A recursive descent parser of the whole grammar: subgraphs, default attributes, chains of edges,
//! ports and compass points, quoted and HTML identifiers, three kinds of comment. It keeps only the
//! attributes with a meaning for networks and ignores layout. Nesting is at most [`MAX_DEPTH`], and
//! vertices and edges are at most as many as a network can have.

use super::attributed::{Attributes, Edge, Graph, Vertex};
use super::parts::Parts;
use super::{MAX_DEPTH, Source, messages};
use crate::message::{Argument, Message};
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

/// The token as a message shows it, cut off if it is long.
impl From<&Token> for Argument {
    fn from(token: &Token) -> Self {
        let short = |text: &str| text.chars().take(40).collect::<String>();
        match token {
            Token::Word(word) => format!("`{}`", short(word)).into(),
            Token::Text(text) => format!("\"{}\"", short(text)).into(),
            Token::Sign(sign) => sign_in_message(*sign).into(),
            Token::Edge { directed: true } => "`->`".into(),
            Token::Edge { directed: false } => "`--`".into(),
            Token::End => messages::dot_end_of_file().into(),
        }
    }
}

fn sign_in_message(sign: char) -> String {
    format!("`{sign}`")
}

/// Splits a text into tokens.
struct Lexer<'a> {
    source: Source<'a>,
    /// The text not read yet.
    rest: &'a str,
    /// The line where `rest` begins.
    line: usize,
    /// True if only blanks precede `rest` on its line; `#` then begins a comment.
    at_line_start: bool,
}

impl<'a> Lexer<'a> {
    fn problem(&self, line: usize, why: Message, fix: Message) -> Problems {
        Problems::one(self.source.line(line), why, fix)
    }

    /// Moves on by a number of bytes and returns the text in between.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.line += taken.bytes().filter(|&b| b == b'\n').count();
        match taken.rsplit_once('\n') {
            Some((_, last_line)) => self.at_line_start = last_line.trim().is_empty(),
            None => self.at_line_start &= taken.trim().is_empty(),
        }
        taken
    }

    fn skip_blanks_and_comments(&mut self) -> Result<(), Problems> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            if blanks > 0 {
                self.take(blanks);
            } else if self.rest.starts_with("//")
                || (self.rest.starts_with('#') && self.at_line_start)
            {
                self.take(self.rest.find('\n').map_or(self.rest.len(), |at| at + 1));
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest.find("*/") else {
                    return Err(self.problem(
                        self.line,
                        messages::dot_comment_open(),
                        messages::dot_close_comment(),
                    ));
                };
                self.take(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn next_token(&mut self) -> Result<Token, Problems> {
        self.skip_blanks_and_comments()?;
        let line = self.line;
        let mut chars = self.rest.chars();
        let Some(first) = chars.next() else { return Ok(Token::End) };
        let second = chars.next();
        match (first, second) {
            ('-', Some('>')) | ('-', Some('-')) => {
                self.take(2);
                Ok(Token::Edge { directed: second == Some('>') })
            }
            ('{' | '}' | '[' | ']' | '=' | ';' | ',' | ':' | '+', _) => {
                self.take(1);
                Ok(Token::Sign(first))
            }
            ('"', _) => self.quoted().map(Token::Text),
            ('<', _) => self.html().map(Token::Text),
            _ => {
                // A minus sign begins a number; anywhere else it begins the sign of an edge.
                let in_word = |c: char| {
                    c.is_alphanumeric()
                        || c == '_'
                        || c == '.'
                        || !c.is_ascii()
                        || (c == '-' && first == '-')
                };
                let length = self.rest.find(|c| !in_word(c)).unwrap_or(self.rest.len());
                if length == 0 {
                    return Err(self.problem(
                        line,
                        messages::dot_character_unknown(first),
                        messages::dot_quote_names(),
                    ));
                }
                Ok(Token::Word(self.take(length).to_string()))
            }
        }
    }

    /// A text in quotes, without them.
    fn quoted(&mut self) -> Result<String, Problems> {
        let (line, mut text, mut escaped) = (self.line, String::new(), false);
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => {
                    match c {
                        '"' => text.push('"'),
                        // A backslash at the end of a line joins it with the next one.
                        '\n' => {}
                        // Other escapes are left to Graphviz's layout.
                        _ => text.extend(['\\', c]),
                    }
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    self.take(at + 1);
                    return Ok(text);
                }
                _ => text.push(c),
            }
        }
        Err(self.problem(line, messages::dot_quote_open(), messages::dot_close_quote()))
    }

    /// A text in angle brackets, with them.
    fn html(&mut self) -> Result<String, Problems> {
        let (line, mut depth) = (self.line, 0);
        for (at, c) in self.rest.char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(self.take(at + 1).to_string());
            }
        }
        Err(self.problem(line, messages::dot_html_open(), messages::dot_close_html()))
    }
}

/// Attributes that new nodes and edges of a scope begin with.
#[derive(Clone, Default)]
struct Defaults {
    vertex: Attributes,
    edge: Attributes,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The next token.
    token: Token,
    /// Line of `token`.
    line: usize,
    directed: bool,
    graph: Graph,
    /// Indices of the vertices by identifier.
    index: BTreeMap<String, usize>,
}

/// Parses a graph.
///
/// # Errors
/// The first violation of the grammar or of a limit, with its line.
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
    /// Reads the next token and returns the current one.
    fn advance(&mut self) -> Result<Token, Problems> {
        let next = self.lexer.next_token()?;
        // The line of the token's end; they differ only for identifiers of several lines.
        self.line = self.lexer.line;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// The error that the current token is not what the grammar allows here.
    fn expected<T>(&self, wanted: impl Into<Argument>) -> Result<T, Problems> {
        Err(self.lexer.problem(
            self.line,
            messages::file_expected(&self.token, wanted),
            messages::file_check_line(),
        ))
    }

    /// Moves past a keyword and returns true if it is the current token.
    fn keyword(&mut self, keyword: &str) -> Result<bool, Problems> {
        let there = matches!(&self.token, Token::Word(word) if word.eq_ignore_ascii_case(keyword));
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    /// Moves past a sign and returns true if it is the current token.
    fn sign(&mut self, sign: char) -> Result<bool, Problems> {
        let there = self.token == Token::Sign(sign);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn expect(&mut self, sign: char) -> Result<(), Problems> {
        if self.sign(sign)? { Ok(()) } else { self.expected(sign_in_message(sign)) }
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
                        return self.expected(messages::dot_quoted_text());
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
            return self.expected(messages::dot_graph_or_digraph());
        }
        self.id()?;
        self.expect('{')?;
        self.statements(&mut Defaults::default(), 0)?;
        if self.token == Token::End {
            Ok(())
        } else {
            self.expected(messages::dot_end_after_graph())
        }
    }

    /// Statements up to and including the closing brace; returns the indices of the vertices that
    /// they name, in ascending order.
    fn statements(
        &mut self,
        defaults: &mut Defaults,
        depth: usize,
    ) -> Result<Vec<usize>, Problems> {
        if depth > MAX_DEPTH {
            return Err(self.lexer.problem(
                self.line,
                messages::dot_subgraphs_too_deep(),
                messages::file_use_fewer_levels(),
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
        named.sort_unstable();
        named.dedup();
        Ok(named)
    }

    /// One statement; returns the indices of the vertices that it names.
    fn statement(&mut self, defaults: &mut Defaults, depth: usize) -> Result<Vec<usize>, Problems> {
        for keyword in ["graph", "node", "edge"] {
            if self.keyword(keyword)? {
                let attributes = self.attributes()?;
                match keyword {
                    "node" => defaults.vertex = attributes.or_defaults(&defaults.vertex),
                    "edge" => defaults.edge = attributes.or_defaults(&defaults.edge),
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
                // New attributes replace earlier ones and defaults.
                vertex.attributes = attributes.or_defaults(&vertex.attributes);
                vertex.line = if only >= before { line } else { vertex.line };
            }
            return Ok(first);
        }
        let mut chain = vec![first];
        while let Token::Edge { directed } = self.token {
            if directed != self.directed {
                return self.expected(match self.directed {
                    true => messages::dot_directed_edge(),
                    false => messages::dot_undirected_edge(),
                });
            }
            self.advance()?;
            match self.ends(defaults, depth, false)? {
                Some(ends) => chain.push(ends),
                None => return self.expected(messages::dot_node()),
            }
        }
        let attributes = Rc::new(self.attributes()?.or_defaults(&defaults.edge));
        // Every vertex of a subgraph is joined with every vertex of the next one.
        for pair in chain.windows(2) {
            for (&from, &to) in pair[0].iter().flat_map(|a| pair[1].iter().map(move |b| (a, b))) {
                if self.graph.edges.len() >= MAX_EDGES {
                    return Err(Parts::too_many_problem(self.lexer.source, line));
                }
                let attributes = Rc::clone(&attributes);
                let directed = self.directed;
                self.graph.edges.push(Edge { from, to, directed, line, attributes });
            }
        }
        Ok(chain.concat())
    }

    /// The vertices at one end of an edge: a node with its port, or a subgraph. `None` after
    /// `name = value`, which is allowed only where a statement `begins`.
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
        let Some(name) = self.id()? else { return self.expected(messages::dot_node_edge_or_end()) };
        if begins && self.sign('=')? {
            if self.id()?.is_none() {
                return self.expected(messages::dot_value());
            }
            return Ok(None);
        }
        for _port_then_compass in 0..2 {
            if self.sign(':')? && self.id()?.is_none() {
                return self.expected(messages::dot_port());
            }
        }
        Ok(Some(vec![self.vertex(name, line, defaults)?]))
    }

    /// The index of a vertex, which is added with the defaults if it is new.
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
                let Some(key) = self.id()? else {
                    return self.expected(messages::dot_attribute_or_end());
                };
                if self.sign('=')? {
                    match self.id()? {
                        Some(value) => attributes.set(&key, &value),
                        None => return self.expected(messages::dot_value()),
                    }
                }
            }
        }
        Ok(attributes)
    }
}

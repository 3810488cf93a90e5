//! Reads an XML file into a tree of elements with positions and read marks.
//!
//! Reading an attribute or element sets its mark. Unmarked ones at the end were not understood, and `notes::leftovers`
//! reports them, so that nothing is dropped silently.
//! Document types are rejected, so there are no entities to expand; size, depth and count are bounded.

use crate::error::{ImportError, Place};
use glam::DVec3;
use std::cell::Cell;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Maximum length of a file [bytes].
const LONGEST_FILE: u64 = 64 << 20;
/// Maximum nesting of elements: the tree is traversed recursively. Other readers have the same limit.
const DEEPEST: usize = 500;
/// Maximum number of nodes of a file: elements, texts, comments.
const MOST_NODES: u32 = 2_000_000;
/// Maximum length of file text quoted in a message [characters].
const LONGEST_QUOTE: usize = 60;

/// An attribute.
#[derive(Debug)]
pub struct Attribute {
    /// Its name, without a prefix.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its position.
    pub place: Place,
    /// Whether it was read.
    pub seen: Cell<bool>,
}

/// An element.
#[derive(Debug)]
pub struct Element {
    /// Its name, without a prefix.
    pub tag: String,
    /// Its position.
    pub place: Place,
    /// Its attributes in the order of the file.
    pub attributes: Vec<Attribute>,
    /// Its children in the order of the file.
    pub children: Vec<Element>,
    /// Whether it was read.
    pub seen: Cell<bool>,
}

/// Reads and parses a file.
pub fn read(path: &Path) -> Result<Element, ImportError> {
    let name = path.display().to_string();
    let open = |e: std::io::Error| {
        ImportError::of(&name, e.to_string(), "check the path and your permission to read it")
    };
    // checked before opening: opening a pipe would block
    if !std::fs::metadata(path).map_err(open)?.is_file() {
        return Err(ImportError::of(&name, "this is not a file", "give the path of a URDF or MJCF file"));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(open)?.take(LONGEST_FILE + 1).read_to_end(&mut bytes).map_err(open)?;
    if bytes.len() as u64 > LONGEST_FILE {
        let help = format!("a file may have up to {LONGEST_FILE} bytes");
        return Err(ImportError::of(&name, "the file is too long", help));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        ImportError::of(&name, format!("byte {at} is not valid UTF-8"), "save the file as UTF-8")
    })?;
    parse(&text, &name)
}

/// Parses a text; `name` is the file's name in errors.
pub fn parse(text: &str, name: &str) -> Result<Element, ImportError> {
    let file: Arc<str> = name.into();
    let options = roxmltree::ParsingOptions { nodes_limit: MOST_NODES, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, options).map_err(|e| {
        let at = e.pos();
        let place = Place { file: file.clone(), line: at.row, column: at.col };
        let help = match e {
            roxmltree::Error::DtdDetected => "remove the <!DOCTYPE>: document types are not supported",
            roxmltree::Error::NodesLimitReached => "a file may have up to 2 000 000 nodes: split the model",
            roxmltree::Error::UnknownNamespace(..) => "declare the prefix: xmlns:PREFIX=\"…\" at the root",
            _ => "correct the XML syntax",
        };
        // the library's text ends with the position, which is reported anyway
        let said = e.to_string();
        let said = said.split(" at ").next().unwrap_or(&said);
        ImportError::at(&place, format!("the file is not valid XML: {}", quote(said)), help)
    })?;
    let mut cursor = Cursor { text, file, offset: 0, line: 1, column: 1 };
    element(document.root_element(), 0, &mut cursor)
}

/// Scans the text once, so that positions cost no more than reading.
struct Cursor<'a> {
    text: &'a str,
    file: Arc<str>,
    offset: usize,
    line: u32,
    column: u32,
}

impl Cursor<'_> {
    fn place(&mut self, offset: usize) -> Place {
        while self.offset < offset {
            let Some(c) = self.text[self.offset..].chars().next() else { break };
            self.offset += c.len_utf8();
            (self.line, self.column) = match c {
                '\n' => (self.line + 1, 1),
                _ => (self.line, self.column + 1),
            };
        }
        Place { file: self.file.clone(), line: self.line, column: self.column }
    }
}

fn element(
    node: roxmltree::Node<'_, '_>,
    depth: usize,
    cursor: &mut Cursor<'_>,
) -> Result<Element, ImportError> {
    let place = cursor.place(node.range().start);
    if depth > DEEPEST {
        let help = format!("elements may be nested up to {DEEPEST} deep");
        return Err(ImportError::at(&place, "elements are nested too deeply", help));
    }
    if node.tag_name().namespace().is_some_and(|n| n.contains("xacro")) {
        return Err(xacro(&place));
    }
    let mut attributes = Vec::with_capacity(node.attributes().len());
    for a in node.attributes() {
        let place = cursor.place(a.range().start);
        if a.value().contains("${") {
            return Err(xacro(&place));
        }
        let (name, value) = (a.name().to_string(), a.value().to_string());
        attributes.push(Attribute { name, value, place, seen: Cell::new(false) });
    }
    let mut children = Vec::new();
    for child in node.children().filter(roxmltree::Node::is_element) {
        children.push(element(child, depth + 1, cursor)?);
    }
    let tag = node.tag_name().name().to_string();
    Ok(Element { tag, place, attributes, children, seen: Cell::new(false) })
}

fn xacro(place: &Place) -> ImportError {
    ImportError::at(place, "this is a xacro file, not URDF", "expand it first: xacro FILE.xacro > FILE.urdf")
}

/// A piece of the file's text, truncated for a message.
pub fn quote(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

impl Element {
    /// The attribute of a name, marked as read.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        let found = self.attributes.iter().find(|a| a.name == name)?;
        found.seen.set(true);
        Some(found)
    }

    /// The attribute of a name; an error if it is missing.
    pub fn need(&self, name: &str) -> Result<&Attribute, ImportError> {
        self.get(name).ok_or_else(|| {
            ImportError::at(
                &self.place,
                format!("<{}> has no `{name}`", quote(&self.tag)),
                format!("give {name}=\"…\""),
            )
        })
    }

    /// The first child of a tag, marked as read.
    pub fn child(&self, tag: &str) -> Option<&Element> {
        let found = self.children.iter().find(|e| e.tag == tag)?;
        found.seen.set(true);
        Some(found)
    }

    /// The children of a tag, marked as read.
    pub fn all<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |e| e.tag == tag).inspect(|e| e.seen.set(true))
    }

    /// Marks it and all its attributes as read: their content is reported otherwise.
    pub fn excuse(&self) {
        self.seen.set(true);
        self.attributes.iter().for_each(|a| a.seen.set(true));
    }

    /// Marks it and all below it as read.
    pub fn excuse_all(&self) {
        self.excuse();
        self.children.iter().for_each(Element::excuse_all);
    }
}

impl Attribute {
    fn wrong(&self, wanted: &str) -> ImportError {
        ImportError::at(
            &self.place,
            format!("`{}` is \"{}\"", quote(&self.name), quote(&self.value)),
            format!("give {wanted}"),
        )
    }

    /// All its numbers: `least` to `most` of them, all finite.
    pub fn numbers(&self, least: usize, most: usize) -> Result<Vec<f64>, ImportError> {
        let wanted = || {
            let how_many = if least == most { least.to_string() } else { format!("{least} to {most}") };
            format!("{how_many} finite number{}", if most == 1 { "" } else { "s" })
        };
        let mut list = Vec::new();
        for word in self.value.split_ascii_whitespace() {
            let number: f64 = word.parse().map_err(|_| self.wrong(&wanted()))?;
            if !number.is_finite() || list.len() == most {
                return Err(self.wrong(&wanted()));
            }
            list.push(number);
        }
        if list.len() < least { Err(self.wrong(&wanted())) } else { Ok(list) }
    }

    /// One number.
    pub fn number(&self) -> Result<f64, ImportError> {
        Ok(self.numbers(1, 1)?[0])
    }

    /// One number of 0 or more.
    pub fn not_negative(&self) -> Result<f64, ImportError> {
        self.number().ok().filter(|&x| x >= 0.0).ok_or_else(|| self.wrong("a number of 0 or more"))
    }

    /// Three numbers.
    pub fn vector(&self) -> Result<DVec3, ImportError> {
        let n = self.numbers(3, 3)?;
        Ok(DVec3::new(n[0], n[1], n[2]))
    }

    /// A direction of length 1.
    pub fn direction(&self) -> Result<DVec3, ImportError> {
        unit(self.vector()?).ok_or_else(|| self.wrong("a direction of nonzero length"))
    }

    /// "true" or "false", also as 1 and 0.
    pub fn truth(&self) -> Result<bool, ImportError> {
        match self.value.trim() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(self.wrong("\"true\" or \"false\"")),
        }
    }

    /// The error for a value that is none of the known words.
    pub fn unknown(&self, known: &str) -> ImportError {
        self.wrong(known)
    }
}

/// The normalised vector; none if it is too short to have a direction.
pub fn unit(v: DVec3) -> Option<DVec3> {
    // scaled first: squares of tiny and huge numbers underflow and overflow
    let scale = v.abs().max_element();
    if !(scale > 1e-100 && scale < 1e100) {
        return None;
    }
    Some((v / scale).normalize())
}

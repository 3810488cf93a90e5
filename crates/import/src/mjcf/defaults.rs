//! Default classes: attributes of elements that do not specify them.
//!
//! An element's own attribute has precedence, then that of its class, of the parent of that class, and so on. The class
//! is the element's `class`, else the nearest `childclass` above, else the outermost one.

use crate::error::ImportError;
use crate::xml::{Attribute, Element, quote};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Elements that share their defaults: all actuators are one group.
const ACTUATORS: [&str; 10] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "plugin",
];

/// A default class.
#[derive(Debug, Default)]
struct Class<'a> {
    parent: Option<usize>,
    own: BTreeMap<&'a str, BTreeMap<&'a str, &'a Attribute>>,
}

/// All default classes; the first is the outermost.
#[derive(Debug)]
pub struct Classes<'a> {
    list: Vec<Class<'a>>,
    names: BTreeMap<&'a str, usize>,
}

impl<'a> Classes<'a> {
    /// Reads all `<default>`s.
    pub fn read(root: &'a Element) -> Result<Classes<'a>, ImportError> {
        let mut classes = Classes { list: vec![Class::default()], names: BTreeMap::new() };
        classes.names.insert("main", 0);
        for element in root.all("default") {
            if let Some(name) = element.get("class") {
                classes.names.insert(&name.value, 0);
            }
            classes.fill(element, 0)?;
        }
        Ok(classes)
    }

    fn fill(&mut self, element: &'a Element, class: usize) -> Result<(), ImportError> {
        for child in &element.children {
            child.seen.set(true);
            if child.tag == "default" {
                let name = child.need("class")?;
                if self.names.contains_key(name.value.as_str()) {
                    let message = format!("there are two classes \"{}\"", quote(&name.value));
                    return Err(ImportError::at(&name.place, message, "give each a unique name"));
                }
                let inner = self.list.len();
                self.list.push(Class { parent: Some(class), ..Class::default() });
                self.names.insert(&name.value, inner);
                self.fill(child, inner)?;
            } else {
                let own = self.list[class].own.entry(shared(&child.tag)).or_default();
                own.extend(child.attributes.iter().map(|a| (a.name.as_str(), a)));
            }
        }
        Ok(())
    }

    /// The class of a name.
    pub fn named(&self, name: &Attribute) -> Result<usize, ImportError> {
        self.names.get(name.value.as_str()).copied().ok_or_else(|| {
            let message = format!("there is no class \"{}\"", quote(&name.value));
            ImportError::at(&name.place, message, "name a <default class=\"…\">")
        })
    }

    /// An element with its defaults; `class` is the `childclass` that applies to it.
    pub fn view(self: &Rc<Self>, element: &'a Element, class: usize) -> Result<View<'a>, ImportError> {
        element.seen.set(true);
        let class = element.get("class").map_or(Ok(class), |name| self.named(name))?;
        Ok(View { element, class, classes: self.clone() })
    }

    fn find(&self, class: usize, tag: &str, name: &str) -> Option<&'a Attribute> {
        let mut next = Some(class);
        while let Some(index) = next {
            let found = self.list[index].own.get(tag).and_then(|own| own.get(name));
            if let Some(attribute) = found {
                attribute.seen.set(true);
                return Some(attribute);
            }
            next = self.list[index].parent;
        }
        None
    }
}

/// The tag under which the defaults of an element are stored.
fn shared(tag: &str) -> &str {
    match tag {
        "connect" | "weld" | "distance" => "equality",
        "spatial" | "fixed" => "tendon",
        _ if ACTUATORS.contains(&tag) => "general",
        _ => tag,
    }
}

/// An element with its defaults.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// The element.
    pub element: &'a Element,
    class: usize,
    classes: Rc<Classes<'a>>,
}

impl<'a> View<'a> {
    /// The attribute of a name, its own or by default.
    pub fn get(&self, name: &str) -> Option<&'a Attribute> {
        self.element.get(name).or_else(|| self.classes.find(self.class, shared(&self.element.tag), name))
    }

    /// A number, or its default without the attribute.
    pub fn number_or(&self, name: &str, otherwise: f64) -> Result<f64, ImportError> {
        self.get(name).map_or(Ok(otherwise), Attribute::number)
    }
}

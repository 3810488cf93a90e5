//! The book is built by mdBook without a warning, and has every page.

use super::{pages, root};
use mdbook_driver::MDBook;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Keeps warnings and errors.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        struct Text(String);
        impl Visit for Text {
            fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
                self.0 += &format!("{value:?} ");
            }
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        self.0.lock().expect("no panic holds it").push(text.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn the_book_is_built_without_a_warning() {
    let target = tempfile::TempDir::new().expect("a folder");
    let warnings = Warnings::default();
    tracing::subscriber::with_default(warnings.clone(), || {
        let mut book = MDBook::load(root().join("docs")).expect("book.toml and SUMMARY.md");
        book.config.build.build_dir = target.path().to_path_buf();
        book.build().expect("a book");
    });
    let found = warnings.0.lock().expect("no panic holds it").clone();
    assert!(found.is_empty(), "{found:#?}");
    assert!(target.path().join("getting-started/first-crane.html").is_file());
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the summary");
    for page in pages() {
        if let Some(name) = page.name.strip_prefix("docs/").filter(|name| *name != "SUMMARY.md") {
            assert!(summary.contains(&format!("({name})")), "{name}");
        }
    }
}

/// The headings of a page as links name them.
pub fn headings(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        }
        if fenced || !line.starts_with('#') {
            continue;
        }
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        found.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    found
}

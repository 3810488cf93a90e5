//! Output to the terminal: text to standard output, errors of a scene with the text underlined to
//! standard error.

use crate::excerpt::Excerpt;
use crate::outcome::Outcome;
use miette::{Diagnostic, LabeledSpan, MietteHandlerOpts, NamedSource, Report, SourceCode};
use std::fmt;
use std::io::{ErrorKind, Write};
use windlass_scene::{Cause, Errors};

/// Selects how errors are printed. Colours depend on standard error.
pub fn set_up() {
    let handler = || MietteHandlerOpts::new().context_lines(1).break_words(false).build();
    // fails only if a handler is set already, which is not the case
    let _ = miette::set_hook(Box::new(move |_| Box::new(handler())));
}

/// Writes text to standard output. A closed pipe is not an error.
pub fn print(text: &str) -> Outcome {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            tell(&format!("cannot write: {e}"));
            Outcome::File
        }
        _ => Outcome::Well,
    }
}

/// Writes a line to standard output during a run. A closed pipe is not an error.
pub fn line(text: &str) -> std::io::Result<()> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Version of the keys of all JSON objects: raised when a key is renamed, removed or changes its meaning.
pub const JSON_VERSION: u32 = 2;

#[derive(serde::Serialize)]
struct Versioned<'a, T: serde::Serialize> {
    json_version: u32,
    #[serde(flatten)]
    value: &'a T,
}

/// A value as JSON, with its version.
pub fn json_text(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string_pretty(&Versioned { json_version: JSON_VERSION, value })
        .expect("what is printed has string keys only");
    json + "\n"
}

/// Writes a value as JSON to standard output.
pub fn print_json(value: &impl serde::Serialize) -> Outcome {
    print(&json_text(value))
}

/// Prints why the input is rejected.
pub fn refuse(why: &str) -> Outcome {
    tell(&format!("error: {why}"));
    Outcome::Input
}

/// Writes a line to standard error.
pub fn tell(line: &str) {
    // there is no other place to report this
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints all errors of a scene; the outcome distinguishes their causes.
pub fn problems(errors: &Errors) -> Outcome {
    for problem in &errors.problems {
        let (source, span): (Option<Box<dyn SourceCode>>, _) = match errors.source(problem) {
            Some((source, span)) if !source.text.is_empty() => {
                match Excerpt::of(&source.name, &source.text, &span) {
                    Some(excerpt) => {
                        let span = excerpt.span.clone();
                        (Some(Box::new(excerpt)), span)
                    }
                    None => {
                        let text = NamedSource::new(&source.name, source.text.clone()).with_language("TOML");
                        (Some(Box::new(text)), span)
                    }
                }
            }
            _ => (None, 0..0),
        };
        let report = Report::new(Shown {
            message: problem.message.clone(),
            help: problem.help.clone(),
            span: LabeledSpan::underline(span),
            source,
        });
        tell(&format!("{}\n", format!("{report:?}").trim_end()));
    }
    if errors.problems.len() > 1 {
        tell(&format!("{} problems in {}", errors.problems.len(), errors.file));
    }
    cause(errors)
}

/// The outcome of errors in a scene.
pub fn cause(errors: &Errors) -> Outcome {
    match errors.cause {
        Cause::File => Outcome::File,
        Cause::Text => Outcome::Input,
    }
}

/// An error in the form required by miette.
struct Shown {
    message: String,
    help: Option<String>,
    span: LabeledSpan,
    source: Option<Box<dyn SourceCode>>,
}

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown {}

impl Diagnostic for Shown {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|h| Box::new(h) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_deref()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.source.as_ref()?;
        Some(Box::new(std::iter::once(self.span.clone())))
    }
}

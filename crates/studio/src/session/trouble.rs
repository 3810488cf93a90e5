//! Errors of a scene → the message that lists them.

use crate::message::{ServerMessage, Trouble};
use windlass_scene::Errors;

/// The errors of a text. One in an included file names that file and its line there.
pub(super) fn troubles(errors: &Errors) -> ServerMessage {
    let own = errors.sources.iter().next();
    let trouble = |problem: &windlass_scene::Problem| {
        let (line, column) = errors.place(problem);
        let (message, help) = (problem.message.clone(), problem.help.clone());
        match errors.source(problem) {
            Some((source, _)) if own.is_some_and(|own| own.name != source.name) => {
                let message = format!("{}, line {line}: {message}", source.name);
                Trouble { line: 1, column: 1, message, help }
            }
            _ => Trouble { line, column, message, help },
        }
    };
    ServerMessage::Errors {
        text: errors.to_string(),
        problems: errors.problems.iter().map(trouble).collect(),
        source: None,
        req: None,
    }
}

//! A text that is being typed → its errors, in a thread of its own so that the simulation does not wait.
//!
//! One text is checked at a time. The page sends the next one after the answer to the last.

use super::{Session, troubles};
use crate::hub::ClientId;
use crate::message::ServerMessage;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::thread;

impl Session {
    /// Checks a text of a file, or of the scene shown; the client is answered when it has been checked.
    pub(super) fn validate(
        &self,
        client: ClientId,
        number: Option<u32>,
        file: Option<&str>,
        toml: String,
    ) -> Result<(), ServerMessage> {
        let Some(answers) = self.audience.answers_to(client) else {
            return Ok(());
        };
        let item = file.and_then(|id| self.gallery.find(id)).unwrap_or_else(|| self.shown.item.clone());
        if self.validating.swap(true, Ordering::AcqRel) {
            return Err(ServerMessage::refused("another text is being checked: try again in a moment"));
        }
        let validating = self.validating.clone();
        let work = move || {
            let check = || item.parse(&toml).and_then(|scene| scene.build().map(drop));
            let told = match catch_unwind(AssertUnwindSafe(check)) {
                Ok(Ok(())) => ServerMessage::valid(),
                Ok(Err(errors)) => troubles(&errors),
                Err(_) => {
                    ServerMessage::refused("the text cannot be checked because of an error in the program")
                }
            };
            validating.store(false, Ordering::Release);
            // a client that has left needs no answer
            let _ = answers.try_send(told.answering(number).json().into());
        };
        let thread = thread::Builder::new().name("validate".to_string());
        if let Err(why) = thread.spawn(work) {
            self.validating.store(false, Ordering::Release);
            return Err(ServerMessage::refused(format!("the text cannot be checked: {why}")));
        }
        Ok(())
    }
}

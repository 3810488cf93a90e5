//! Messages for all clients: the scene, frames, and the status, each when it is due.

use super::run::Run;
use super::{FRAME, Session};
use crate::earth::looks::Pressures;
use crate::earth::watch::Watch;
use crate::frame::{MAGIC, frame};
use crate::hub::{ClientId, Hub, Latest, Picture};
use crate::message::{Overlays, ServerMessage, Status};
use crate::overlay;
use crate::probe;
use crate::stage::stage;
use axum::body::Bytes;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time between two looks at the surfaces of grounds while time runs.
const LOOK: Duration = Duration::from_micros(33_333);
/// Time between two statuses.
pub const STATUS: Duration = Duration::from_millis(100);

/// What clients have of the run, and when they get more.
pub struct Publisher {
    hub: Arc<Hub>,
    /// Counts scenes.
    epoch: u64,
    pressures: Pressures,
    /// The surfaces of grounds, and when they are looked at again.
    watch: Watch,
    next_look: Instant,
    next_frame: Instant,
    next_status: Instant,
}

impl Publisher {
    /// Everything is due.
    pub fn new(hub: Arc<Hub>, now: Instant) -> Publisher {
        Publisher {
            hub,
            epoch: 0,
            pressures: Pressures::default(),
            watch: Watch::default(),
            next_look: now,
            next_frame: now,
            next_status: now,
        }
    }

    /// When a status or the frame of a run is due.
    pub fn next(&self, run: &Run) -> Instant {
        if run.moved { self.next_status.min(self.next_frame) } else { self.next_status }
    }

    /// When the next frame may be sent.
    pub fn next_frame(&self) -> Instant {
        self.next_frame
    }

    /// Whether the frame of a run is due, and whether a status is.
    pub fn is_due(&self, run: &Run, now: Instant) -> (bool, bool) {
        (run.moved && now >= self.next_frame, now >= self.next_status)
    }

    /// A status is due within this time.
    pub fn hurry(&mut self, within: Duration) {
        self.next_status = self.next_status.min(Instant::now() + within);
    }

    /// The machine has another model.
    pub fn begin(&mut self, run: &Run) {
        (self.pressures, self.watch) = (Pressures::of(run.machine.world()), Watch::default());
    }

    /// Publishes a scene; its frame and status are due.
    pub fn scene(&mut self, run: &mut Run) {
        self.epoch += 1;
        let told = ServerMessage::Scene(Box::new(stage(&run.item, &run.machine, &run.lines))).json();
        self.hub.scene.send_replace(Latest { epoch: self.epoch, content: told.into() });
        run.moved = true;
        (self.next_frame, self.next_status) = (Instant::now(), Instant::now());
    }

    /// Publishes a frame, with the blocks that are wanted. While it plays, the surfaces of grounds are looked at less often.
    fn frame(&mut self, run: &mut Run, wanted: Overlays, playing: bool, now: Instant) {
        let built = run.machine.built();
        let mut bytes = frame(MAGIC, built, &run.lines);
        overlay::append(&mut bytes, built, (&run.lines, &self.pressures), wanted);
        let is_late = wanted.soil && playing && now < self.next_look;
        if wanted.soil && !is_late {
            self.watch.look(run.machine.world());
            self.next_look = now + LOOK;
        }
        let content = Picture { frame: Bytes::from(bytes), sheet: self.watch.sheet() };
        self.hub.frame.send_replace(Latest { epoch: self.epoch, content });
        // the surface of the last moment before a pause is not left out
        run.moved = is_late;
        // at the earliest one frame after the last due time, so that jitter loses no frame
        self.next_frame = (self.next_frame + FRAME).max(now);
    }

    fn status(&mut self, status: Status, now: Instant) {
        let told = ServerMessage::Status(Box::new(status)).json();
        self.hub.status.send_replace(Latest { epoch: self.epoch, content: told.into() });
        self.next_status = now + STATUS;
    }
}

impl Session {
    /// Selects the numbers that a client is sent.
    pub(super) fn probe(&mut self, client: ClientId, names: &[String]) -> Result<(), ServerMessage> {
        if names.len() > probe::MOST {
            return Err(ServerMessage::refused(format!("at most {} probes at once", probe::MOST)));
        }
        let (probes, unknown) = self.readings.find(names);
        self.audience.set_probes(client, probes);
        self.shown.moved = true;
        match unknown {
            Some(name) => Err(ServerMessage::refused(format!("no probe \"{name}\": `names` lists them"))),
            None => Ok(()),
        }
    }

    /// The machine has another model: sends the scene to all clients.
    pub(super) fn show_scene(&mut self) {
        self.shown.list_lines();
        self.readings.begin(&self.shown);
        self.publisher.begin(&self.shown);
        self.audience.follow_probes(&self.readings.catalogue);
        self.tell_scene();
        self.audience.tell(&self.readings.names());
    }

    /// The text or the file of the scene is another one.
    pub(super) fn tell_scene(&mut self) {
        self.guard_work();
        self.publisher.scene(&mut self.shown);
    }

    /// Frames and statuses that are due.
    pub(super) fn publish(&mut self) {
        let now = Instant::now();
        if self.pace.is_playing() {
            self.pace.look(now);
        }
        if self.audience.is_empty() {
            return;
        }
        let (frame_due, status_due) = self.publisher.is_due(&self.shown, now);
        let wanted = self.audience.overlays();
        let sampled = self.audience.probes().next().is_some();
        // islands are those of the last solve, which this makes one of the state shown
        if status_due || (frame_due && (sampled || wanted.islands)) {
            self.read_instant();
        }
        if frame_due {
            self.publisher.frame(&mut self.shown, wanted, self.pace.is_playing(), now);
            self.audience.sample(|probes| self.readings.sample(&self.shown, probes));
            let drawn = self.comparison.draw(self.shown.machine.step_count(), wanted.soil);
            if let Err(why) = drawn {
                let why = format!("the run shown for comparison cannot continue: {why}");
                self.audience.tell(&ServerMessage::refused(why));
            }
        }
        if status_due {
            let status = self.status();
            self.publisher.status(status, now);
        }
    }
}

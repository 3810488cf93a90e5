//! Records a machine, with an edit now and then, until it is killed: the crash test kills it.
//!
//! ```text
//! cargo run -p windlass-record --example record_forever -- machine.wlr
//! ```

#[path = "../tests/kit/mod.rs"]
mod kit;

use windlass_record::{BoxedError, Pace, Recorder};

fn main() -> Result<(), BoxedError> {
    let path = std::env::args().nth(1).ok_or("give the name of the file to write")?;
    let mut world = kit::machine(4);
    // small chunks: many boundaries to be killed at
    let pace = Pace { seconds: 0.1, ..Pace::default() };
    let mut recorder = Recorder::create(path, &kit::header(), &world)?.at_pace(pace);
    loop {
        let step = world.state().step;
        if step % 37 == 5 {
            let gravity = ((step % 11) + 3).to_string();
            recorder.edit(&world, "gravity", &gravity)?;
            kit::apply(&mut world, "gravity", &gravity)?;
        }
        if let Some(fault) = world.step().fault {
            return Err(fault.to_string().into());
        }
        recorder.step(&world)?;
    }
}

//! `windlass verify`: simulates a recording again and compares every state.

use super::{failed, player};
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::show;
use clap::Args;
use std::ops::ControlFlow;
use std::path::PathBuf;
use windlass_host::text::count;
use windlass_record::{Error, Verify};

const EXAMPLES: &str = "\
Examples:
  windlass run crane.toml --record lift.wlr
  windlass verify lift.wlr
  windlass verify lift.wlr --from-keyframes    # finds every keyframe after which a difference begins";

/// Simulate a recording again and compare every state bit by bit
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The recording
    #[arg(value_name = "RECORDING")]
    file: PathBuf,
    /// Restart from every keyframe, so that a difference is found even after an earlier one
    #[arg(long)]
    from_keyframes: bool,
}

/// Verifies.
pub fn verify(arguments: &Arguments) -> Outcome {
    compare(arguments).unwrap_or_else(|e| failed(&e))
}

fn compare(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut player = player(&arguments.file)?;
    let interrupt = Interrupt::listen();
    let mode = if arguments.from_keyframes { Verify::FromKeys } else { Verify::Through };
    let verdict = player.verify(mode, |_| match interrupt.came() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })?;
    if interrupt.came() {
        return Ok(Outcome::Interrupted);
    }
    if verdict.is_good() {
        let frames = count(verdict.frames as usize, "frame");
        return Ok(show::print(&format!("{frames} repeated, bitwise equal\n")));
    }
    for d in &verdict.differences {
        let fault = d.fault.as_ref().map_or_else(String::new, |f| format!(": {f}"));
        show::tell(&format!("step {} differs, simulated from step {}{fault}", d.step, d.from));
    }
    Ok(Outcome::Fault)
}

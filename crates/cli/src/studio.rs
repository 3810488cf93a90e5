//! `windlass studio`, which is also `windlass` alone: a running simulation in the browser.

use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::show;
use clap::Args;
use std::io::IsTerminal;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use windlass_studio::{Error, Options, Studio, new_token};

const EXAMPLES: &str = "\
Examples:
  windlass studio
  windlass studio scenes/mechanism/servo_arm.toml --no-open
  windlass studio --port 8080
  windlass studio --host 0.0.0.0 --name studio.local --token \"$(openssl rand -hex 16)\"

The studio offers its own scenes, and those of the folder it is started in and of ./scenes. It listens to this machine
alone unless --host is given. Ctrl-C ends it.

Exit codes: 0 stopped by the user, 1 it cannot listen or read the scene, 2 invalid input.";

/// Open the studio: a live simulation in the browser
#[derive(Args, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scene to start with; default: a crane
    scene: Option<PathBuf>,
    /// The port to listen on [default: 7474, or the next that is free]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Listen on this address, so that other machines can connect; needs --token
    #[arg(long, value_name = "ADDRESS", requires = "token")]
    host: Option<IpAddr>,
    /// Another host name that browsers may use for this machine
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Secret that browsers must present, part of the address: at least 22 letters and digits; default: random
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Accept connections from this machine without a token
    #[arg(long, conflicts_with_all = ["token", "host"])]
    no_token: bool,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Serves until it is interrupted.
pub fn studio(arguments: &Arguments) -> Outcome {
    let token = match (&arguments.token, arguments.no_token) {
        (None, false) => match new_token() {
            Ok(token) => Some(token),
            Err(e) => return refuse(&Error::System(e)),
        },
        (given, _) => given.clone(),
    };
    let options = Options {
        scene: arguments.scene.clone(),
        port: arguments.port,
        host: arguments.host,
        names: arguments.name.clone(),
        token,
        folder: std::env::current_dir().ok(),
    };
    let studio = match Studio::start(&options) {
        Ok(studio) => studio,
        Err(error) => return refuse(&error),
    };
    let interrupt = Interrupt::listen();
    if let Err(e) = show::line(&format!("the studio is at {}  (Ctrl-C to stop)", studio.url())) {
        show::tell(&format!("cannot write: {e}"));
        return Outcome::File;
    }
    if !arguments.no_open && std::io::stdout().is_terminal() {
        open(&studio.url());
    }
    while !interrupt.came() {
        if !studio.is_running() {
            show::tell("error: the simulation thread ended unexpectedly (a bug in Windlass)");
            return Outcome::Fault;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Outcome::Well
}

fn refuse(error: &Error) -> Outcome {
    match error {
        Error::Scene(errors) => show::problems(errors),
        Error::NoToken(_) | Error::Token | Error::Name(_) => show::refuse(&error.to_string()),
        Error::Listen { .. } | Error::System(_) => {
            show::tell(&format!("error: {error}"));
            Outcome::File
        }
    }
}

/// Asks the system to open an address. If that fails, the address has been printed and can be copied.
fn open(url: &str) {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(first).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}

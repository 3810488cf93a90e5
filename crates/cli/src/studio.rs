//! `windlass studio`, which is also `windlass` alone: a running simulation in the browser.

use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::{show, state};
use clap::Args;
use std::io::IsTerminal;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use windlass_studio::{Error, Options, Studio, new_token};

const EXAMPLES: &str = "\
Examples:
  windlass studio
  windlass studio scenes/mechanism/servo_arm.toml --no-open
  windlass studio --port 8080
  windlass studio --host 0.0.0.0 --name studio.local --token-file token.txt

The studio offers its own scenes, and those of the folder it is started in and of ./scenes. It listens to this machine
alone unless --host is given. Ctrl-C ends it.

Browsers must present a token. It is random at each start, unless it is given: by --token-file, by the environment
variable WINDLASS_TOKEN, or by --token, which other users of this machine can see in the list of processes.

Unsaved changes are kept in the state folder of the user ($XDG_STATE_HOME/windlass, ~/.local/state/windlass) and offered
by the next studio in the same folder.

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
    /// Listen on this address, so that other machines can connect
    #[arg(long, value_name = "ADDRESS")]
    host: Option<IpAddr>,
    /// Another host name that browsers may use for this machine
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// File with the secret that browsers must present, readable by its owner only: at least 22 letters and digits
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The secret itself, which the list of processes shows to other users; prefer --token-file or WINDLASS_TOKEN
    #[arg(long, value_name = "TOKEN", conflicts_with = "token_file")]
    token: Option<String>,
    /// Accept connections from this machine without a token
    #[arg(long, conflicts_with_all = ["token", "token_file", "host"])]
    no_token: bool,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Serves until it is interrupted.
pub fn studio(arguments: &Arguments) -> Outcome {
    let token = match token(arguments) {
        Ok(token) => token,
        Err(outcome) => return outcome,
    };
    let options = Options {
        scene: arguments.scene.clone(),
        port: arguments.port,
        host: arguments.host,
        names: arguments.name.clone(),
        token,
        folder: std::env::current_dir().ok(),
        state: state::folder(),
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

/// The token: of the file, of the command line, of the environment, or a new one.
fn token(arguments: &Arguments) -> Result<Option<String>, Outcome> {
    if arguments.no_token {
        return Ok(None);
    }
    if let Some(path) = &arguments.token_file {
        return read_token(path).map(Some).map_err(|why| show::refuse(&why));
    }
    let given = arguments.token.clone().or_else(|| std::env::var("WINDLASS_TOKEN").ok());
    match given {
        Some(token) => Ok(Some(token)),
        None => new_token().map(Some).map_err(|e| refuse(&Error::System(e))),
    }
}

/// The first line of a file that only its owner may read.
fn read_token(path: &Path) -> Result<String, String> {
    let name = path.display();
    let unread = |e: std::io::Error| format!("cannot read {name}: {e}; `openssl rand -hex 16` makes a token");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_err(unread)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(format!("{name} can be read by other users: run `chmod 600 {name}`"));
        }
    }
    let text = std::fs::read_to_string(path).map_err(unread)?;
    Ok(text.lines().next().unwrap_or_default().trim().to_string())
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

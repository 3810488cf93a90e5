//! The folder of the user in which programs keep their state between runs.

use std::env;
use std::path::PathBuf;

/// `$XDG_STATE_HOME/windlass`, by default `~/.local/state/windlass`; on macOS and Windows the folder of the system for
/// such files. None if the environment names no home.
pub fn folder() -> Option<PathBuf> {
    let path = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = |below: &str| path("HOME").map(|home| home.join(below));
    let state = if cfg!(windows) {
        path("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home("Library/Application Support")
    } else {
        path("XDG_STATE_HOME").or_else(|| home(".local/state"))
    };
    state.map(|state| state.join("windlass"))
}

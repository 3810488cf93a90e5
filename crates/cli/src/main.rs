//! The binary `windlass`: its arguments → the library → an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(windlass_cli::run_command(std::env::args_os()))
}

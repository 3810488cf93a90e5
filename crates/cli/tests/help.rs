//! What it says of itself.

use crate::desk;

use desk::Desk;

const COMMANDS: [&str; 16] = [
    "studio",
    "new",
    "check",
    "info",
    "run",
    "sweep",
    "plot",
    "modes",
    "linearize",
    "trim",
    "fit",
    "hash",
    "bench",
    "study",
    "completions",
    "man",
];

#[test]
fn help_has_examples_and_exit_codes() {
    let desk = Desk::new();
    let ran =
        desk.windlass(&["--help"]).ends(0).says(&["Usage: windlass", "Exit codes: 0", "130 interrupted"]);
    assert!(!ran.out().contains('\u{1b}'), "no colours where nobody looks");
    for command in COMMANDS {
        assert!(ran.out().contains(&format!("  {command} ")), "{command} is listed");
        desk.windlass(&[command, "--help"]).ends(0).says(&["Examples:\n  windlass "]);
    }
}

#[test]
fn an_unknown_command_is_guessed() {
    Desk::new().windlass(&["chek", "x.toml"]).ends(2).says(&["similar", "'check'"]);
}

#[test]
fn shells_and_manuals_are_served() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        desk.windlass(&["completions", shell]).ends(0).says(&["windlass", "bench", "check-restore"]);
    }
    desk.windlass(&["completions", "sh"]).ends(2);
    desk.windlass(&["man"]).ends(0).says(&[".TH windlass 1", "Exit codes"]);
    desk.windlass(&["man", "--folder", "pages"]).ends(0);
    assert!(desk.read("pages/windlass-run.1").contains("hash"), "a page of every command");
    desk.write("file", "");
    desk.windlass(&["man", "--folder", "file/pages"]).ends(1).says(&["cannot write"]);
}

//! `windlass studio`: who may come in.

use crate::desk;

use desk::Desk;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A studio at a free port, and the address that it prints.
fn started(desk: &Desk, arguments: &[&str]) -> (Child, String) {
    started_with(desk, arguments, &[])
}

fn started_with(desk: &Desk, arguments: &[&str], environment: &[(&str, &str)]) -> (Child, String) {
    let arguments = [&["studio", "--no-open", "--port", "0"], arguments].concat();
    let mut command = desk.command(&arguments);
    command.envs(environment.iter().copied()).env("XDG_STATE_HOME", desk.path("state"));
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://")).expect("an address");
    (child, address.to_string())
}

/// The first line of the answer to a request.
fn answer(address: &str, path: &str) -> String {
    let host = address.split('/').next().expect("a host");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("it is taken");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    text.lines().next().expect("a line").to_string()
}

/// Other users of a machine reach its ports: without the token of the address nobody comes in.
#[test]
fn a_token_is_made_up_on_this_machine_too() {
    let desk = Desk::new();
    let (mut child, address) = started(&desk, &[]);
    let path = address.split_once('/').expect("a path").1;
    assert!(path.starts_with("?token=") && path.len() == "?token=".len() + 32, "{address}");
    assert!(answer(&address, "").contains("401"), "no token");
    assert!(answer(&address, &format!("?token={}", "0".repeat(32))).contains("401"), "another token");
    assert!(answer(&address, path).contains("303"), "the token becomes a cookie");
    child.kill().expect("it runs");
    child.wait().expect("it ends");

    let (mut child, address) = started(&desk, &["--no-token"]);
    assert!(address.ends_with('/') && answer(&address, "").contains("200"), "{address}");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    desk.runs("studio --no-open --no-token --host 0.0.0.0").ends(2);
}

/// A token can be given without showing it in the list of processes.
#[test]
fn a_token_is_read_from_a_file_or_the_environment() {
    let desk = Desk::new();
    let token = "an-own-token-of-30-characters";
    let end = |(mut child, address): (Child, String)| {
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        address
    };
    desk.write("token.txt", &format!("{token}\n"));
    let path = desk.path("token.txt");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode =
            |mode| std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("it is ours");
        mode(0o644);
        let told = desk.runs("studio --no-open --port 0 --token-file token.txt");
        assert!(told.err().contains("chmod 600"), "{}", told.err());
        told.ends(2);
        mode(0o600);
    }
    let address = end(started(&desk, &["--token-file", "token.txt"]));
    assert!(address.ends_with(&format!("?token={token}")), "{address}");
    let address = end(started_with(&desk, &[], &[("WINDLASS_TOKEN", token)]));
    assert!(address.ends_with(&format!("?token={token}")), "{address}");
    desk.write("token.txt", "short\n");
    desk.runs("studio --no-open --port 0 --token-file token.txt").ends(2);
    desk.runs("studio --no-open --port 0 --token-file nowhere.txt").ends(2);
}

//! `windlass studio`: who may come in.

use crate::desk;

use desk::Desk;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A studio at a free port, and the address that it prints.
fn started(desk: &Desk, arguments: &[&str]) -> (Child, String) {
    let arguments = [&["studio", "--no-open", "--port", "0"], arguments].concat();
    let mut child = desk.command(&arguments).stdout(Stdio::piped()).spawn().expect("the binary starts");
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

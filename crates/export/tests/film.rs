//! What a film does when its programs are missing, fail, hang or cheat. Small scripts play povray and ffmpeg.
#![cfg(unix)]

use glam::{DQuat, DVec3};
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use windlass_export::film::{Film, Progress};
use windlass_export::{Error, Figure, Picture, Reel, Solid};

fn picture() -> Picture {
    let body = Figure { name: "ball".into(), solids: vec![Solid::default()] };
    Picture { bodies: vec![body], ..Picture::default() }
}

fn reel(count: usize) -> Reel {
    Reel {
        rate: 10.0,
        start: 0.0,
        frames: vec![vec![(DVec3::ZERO, DQuat::IDENTITY)]; count],
        ties: vec![],
        reliefs: vec![],
    }
}

/// A script in the folder of the test.
fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A script that makes an 8 × 8 image of what it is asked for: `sample.png` beside it.
fn painter(folder: &Path, before: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 8, 8);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&[99; 192]).unwrap();
    fs::write(folder.join("sample.png"), bytes).unwrap();
    let copy = r#"for a in "$@"; do case $a in +O*) cp ../sample.png "${a#+O}";; esac; done"#;
    script(folder, "painter", &format!("{before}\n{copy}"))
}

fn film<'a>(picture: &'a Picture, folder: &Path, povray: PathBuf) -> Film<'a> {
    Film { size: [8, 8], povray, processes: 2, ..Film::new(picture, folder.join("work")) }
}

fn go(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn a_missing_program_is_named_with_its_package() {
    let folder = tempfile::tempdir().unwrap();
    let picture = picture();
    let nowhere = film(&picture, folder.path(), "no-such-povray".into());
    let told = nowhere.make(&mut reel(3), &mut go).unwrap_err().to_string();
    assert_eq!(
        told,
        "cannot find the program `no-such-povray`: install it (Debian, Ubuntu: apt install povray)"
    );
    let painter = painter(folder.path(), "");
    let output = Some(folder.path().join("x.mp4"));
    let mute = Film { ffmpeg: "no-such-ffmpeg".into(), output, ..film(&picture, folder.path(), painter) };
    let told = mute.make(&mut reel(3), &mut go).unwrap_err().to_string();
    assert!(told.contains("`no-such-ffmpeg`") && told.contains("apt install ffmpeg"), "{told}");
    assert!(!folder.path().join("x.mp4").exists());
}

#[test]
fn the_last_words_of_a_failing_program_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let bad = script(folder.path(), "bad", "seq 1 5000; echo 'Parse Error: no \x1b[31mlight' >&2; exit 7");
    let picture = picture();
    let told = film(&picture, folder.path(), bad).make(&mut reel(2), &mut go).unwrap_err().to_string();
    assert!(told.contains("ended with code 7 at frame_00000"), "{told}");
    assert!(told.ends_with("5000\nParse Error: no [31mlight"), "{told}");
    assert!(told.lines().count() < 20, "{told}");
}

#[test]
fn half_an_image_is_not_taken_for_one() {
    let folder = tempfile::tempdir().unwrap();
    painter(folder.path(), "");
    let cut = r#"for a in "$@"; do case $a in +O*) head -c 50 ../sample.png >"${a#+O}";; esac; done"#;
    let cheat = script(folder.path(), "cheat", cut);
    let picture = picture();
    let told = film(&picture, folder.path(), cheat).make(&mut reel(1), &mut go).unwrap_err().to_string();
    assert!(told.contains("left an incomplete image at frame_000000.png"), "{told}");
    let left: Vec<String> = fs::read_dir(folder.path().join("work"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".png"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn an_interrupted_film_goes_on_and_leaves_no_program_behind() {
    let folder = tempfile::tempdir().unwrap();
    // draws the first three frames and hangs at the others
    let hang = r#"echo $$ >>../pids; case "$*" in *frame_00000[0-2]*) ;; *) exec sleep 1000;; esac"#;
    let slow = painter(folder.path(), hang);
    let picture = picture();
    let film = film(&picture, folder.path(), slow);
    let stop_at_three = &mut |p: Progress| match p.done < 3 {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let end = film.make(&mut reel(9), stop_at_three);
    assert!(matches!(end, Err(Error::Stopped)), "{end:?}");
    for pid in fs::read_to_string(folder.path().join("pids")).unwrap().lines() {
        assert!(!Path::new("/proc").join(pid).exists(), "{pid} still runs");
    }
    painter(folder.path(), "");
    let done = film.make(&mut reel(9), &mut go).unwrap();
    assert_eq!((done.done, done.kept, done.total), (9, 3, 9));
}

#[test]
fn a_program_that_hangs_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let hung = script(folder.path(), "hung", "echo $$ >../pid; exec sleep 1000");
    let picture = picture();
    let film = Film { longest: Duration::from_millis(300), ..film(&picture, folder.path(), hung) };
    let told = film.make(&mut reel(1), &mut go).unwrap_err().to_string();
    assert!(told.contains("took more than"), "{told}");
    let pid = fs::read_to_string(folder.path().join("pid")).unwrap();
    assert!(!Path::new("/proc").join(pid.trim()).exists());
}

#[test]
fn two_films_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let picture = picture();
    let film = film(&picture, folder.path(), painter(folder.path(), ""));
    let mut second = None;
    let watch = &mut |_: Progress| {
        second.get_or_insert_with(|| film.make(&mut reel(1), &mut go));
        ControlFlow::Continue(())
    };
    film.make(&mut reel(2), watch).unwrap();
    assert!(matches!(second, Some(Err(Error::Busy(_)))), "{second:?}");
}

#[test]
fn what_cannot_be_filmed_is_refused_before_any_program_starts() {
    let folder = tempfile::tempdir().unwrap();
    let picture = picture();
    let base = film(&picture, folder.path(), "no-such-povray".into());
    let fault = |film: Film, reel: &mut Reel| film.make(reel, &mut go).unwrap_err().to_string();
    assert!(fault(base.clone(), &mut reel(0)).contains("0 frames"));
    assert!(fault(base.clone(), &mut Reel { rate: f64::NAN, ..reel(1) }).contains("rate is NaN"));
    assert!(fault(Film { size: [0, 8], ..base.clone() }, &mut reel(1)).contains("0 × 8 pixels"));
    let output = Some(folder.path().join("x.mp4"));
    assert!(fault(Film { size: [7, 8], output, ..base }, &mut reel(1)).contains("even numbers"));
}

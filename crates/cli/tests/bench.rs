//! `windlass bench`.

use crate::desk;

use desk::{Desk, FALL, HANG, Ran, TROUBLE};

#[test]
fn scenes_are_measured_and_compared() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk.write("hang.toml", HANG);
    let ran = desk.runs("bench fall.toml hang.toml --time 0.05 --threads 1 --json").ends(0);
    desk.write("before.json", &ran.out());
    let results = ran.json();
    assert_eq!(results["threads"], 1);
    for (i, name) in ["fall", "hang"].iter().enumerate() {
        let measured = &results["scenes"][i];
        assert_eq!(measured["scene"], *name);
        let number = |key: &str| measured[key].as_f64().expect("a number");
        assert!(number("median") > 0.0 && number("median") <= number("p99"));
        assert!(number("p99") <= number("max") * 1.000_001);
        assert!(number("steps") >= 100.0);
        let (rate, factor) = (number("steps_per_second"), number("real_time_factor"));
        assert!((factor / rate * 60.0 - 1.0).abs() < 1e-9, "steps of 1/60 s");
    }
    assert_eq!(results["scenes"][1]["equations"], 6);
    desk.runs("bench hang.toml fall.toml --time 0.02 --compare before.json").ends(0).says(&[
        "median",
        "p99",
        "× before",
    ]);
    desk.write("other.toml", FALL);
    desk.runs("bench other.toml --time 0.02 --compare before.json")
        .ends(0)
        .says(&["was not measured before"]);
}

#[test]
fn what_cannot_be_measured_is_told() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk.write("trouble.toml", TROUBLE);
    desk.runs("bench trouble.toml fall.toml --time 0.02").ends(3).says(&["trouble: fault", "fall"]);
    desk.runs("bench nowhere.toml").ends(1);
    desk.runs("bench fall.toml --compare nowhere.json").ends(1).says(&["cannot read nowhere.json"]);
    desk.runs("bench fall.toml --compare fall.toml").ends(2).says(&["windlass bench --json"]);
    desk.runs("bench").ends(2);
}

/// A valgrind that reports a number of instructions per step; the real one takes half a minute here.
fn valgrind(desk: &Desk, per_step: u64) {
    use std::os::unix::fs::PermissionsExt;
    let script = format!(
        "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = --steps ] && n=$2; shift; done\n\
         echo \"==1== I refs:  $((1000000 + {per_step} * n))\" >&2\n"
    );
    desk.write("valgrind", &script);
    let path = desk.path("valgrind");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("our own file");
}

#[test]
fn more_instructions_than_before_are_flagged() {
    let desk = Desk::new();
    desk.write("hang.toml", HANG);
    let bench = |words: &str| {
        let line = format!("bench {words} --time 0.02 --threads 1");
        let mut command = desk.command(&line.split_whitespace().collect::<Vec<_>>());
        Ran(command.env("PATH", desk.path("")).output().expect("the binary starts"))
    };
    valgrind(&desk, 5000);
    let counted = bench("hang.toml --instructions --json").ends(0);
    assert_eq!(counted.json()["scenes"][0]["instructions"], 5000.0);
    desk.write("baseline.json", &counted.out());
    bench("--compare baseline.json").ends(0).says(&["5000 instructions per step, 1.0000 × before"]);
    valgrind(&desk, 5200);
    bench("--compare baseline.json").ends(3).says(&["1.0400 × before: MORE than allowed"]);
    bench("--compare baseline.json --allow 5").ends(0).says(&["1.0400 × before"]);
    std::fs::remove_file(desk.path("valgrind")).expect("our own file");
    bench("hang.toml --instructions").ends(2).says(&["valgrind is not installed"]);
    desk.runs("bench hang.toml --steps 3").ends(0);
}

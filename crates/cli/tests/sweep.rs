//! `windlass sweep` through the real binary: tables are the same bytes however they come about.

use crate::desk;

use desk::{Desk, FALL, Ran, TROUBLE};
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const VARY: [&str; 6] = [
    "--vary",
    "bodies.stone.mass~normal(2 kg, 0.2 kg)",
    "--vary",
    "settings.gravity=[[0, 0, -9.81], [0, 0, -1.62]]",
    "--measure",
    "drop=range(bodies.stone.position.z)",
];

/// A sweep of the falling stone.
fn line<'a>(samples: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let first = ["sweep", "fall.toml", "--seed", "5", "--sample", samples];
    first.into_iter().chain(VARY).chain(more.iter().copied()).collect()
}

fn swept(desk: &Desk, samples: &str, more: &[&str]) -> Ran {
    desk.windlass(&line(samples, more))
}

fn falling() -> Desk {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk
}

/// A sweep that takes some seconds, once its table has rows.
fn started(desk: &Desk, samples: &str, output: &str) -> Child {
    let arguments = line(samples, &["--duration", "100", "--jobs", "2", "-q", "-o", output]);
    let child = desk.command(&arguments).stderr(Stdio::null()).spawn().expect("the binary starts");
    let begun = Instant::now();
    while fs::read_to_string(desk.path(output)).map_or(0, |text| text.lines().count()) < 6 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no rows");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

#[test]
fn jobs_shards_and_resumed_tables_are_the_same_bytes() {
    for method in ["random", "latin-hypercube", "sobol"] {
        let desk = falling();
        let of = |more: &[&str]| swept(&desk, "8", &[more, &["--method", method, "-q"]].concat()).ends(0);
        of(&["--jobs", "1", "-o", "one.csv"]);
        of(&["--jobs", "2", "-o", "two.csv"]);
        let all = desk.read("one.csv");
        assert_eq!(all.lines().count(), 18, "two lines of header and 16 rows");
        assert_eq!(desk.read("two.csv"), all);
        // three shards, given in any order
        for part in ["1/3", "2/3", "3/3"] {
            of(&["--shard", part, "-o", &format!("part{}.csv", &part[..1])]);
        }
        desk.runs("sweep --merge part3.csv part1.csv part2.csv -o merged.csv").ends(0).says(&["16 of 16"]);
        assert_eq!(desk.read("merged.csv"), all);
        // their rows follow each other in the table of all
        let body =
            |name: &str| desk.read(name).lines().skip(2).map(|l| l.to_string() + "\n").collect::<String>();
        let bodies = body("part1.csv") + &body("part2.csv") + &body("part3.csv");
        assert!(all.ends_with(&bodies) && bodies.lines().count() == 16);
        // a table that was cut at any byte is completed
        for cut in [0, 1, 60, all.len() / 3, all.len() / 2, all.len() - 1] {
            desk.write("cut.csv", &all[..cut]);
            of(&["--resume", "-o", "cut.csv"]);
            assert_eq!(desk.read("cut.csv"), all, "cut at {cut}");
        }
        of(&["--resume", "-o", "cut.csv"]);
        assert_eq!(desk.read("cut.csv"), all, "nothing is missing");
    }
}

#[test]
fn a_row_has_the_hash_that_run_prints() {
    let desk = falling();
    let values = "bodies.stone.mass=[1 kg, 3 kg]";
    let measure = ["--measure", "bodies.stone.position.z", "-q", "-o", "t.csv"];
    desk.windlass(&[&["sweep", "fall.toml", "--vary", values], &measure[..]].concat()).ends(0);
    for (row, mass) in desk.read("t.csv").lines().skip(2).zip(["1.0 kg", "3.0 kg"]) {
        let set = format!("bodies.stone.mass={mass}");
        let run = desk.windlass(&["run", "fall.toml", "--json", "--set", &set]).ends(0).json();
        let hash = run["hash"].as_str().expect("a hash");
        assert!(row.ends_with(&format!(",ok,,{hash}")), "{row}: {hash}");
    }
}

#[cfg(unix)]
#[test]
fn a_killed_sweep_is_completed_to_the_same_table() {
    let desk = falling();
    let mut child = started(&desk, "60", "killed.csv");
    signal(&child, "KILL");
    child.wait().expect("it ends");
    let before = desk.read("killed.csv").lines().count();
    assert!(before < 122, "it was killed before its end");
    // what a kill in the middle of a line would leave
    let cut = desk.read("killed.csv") + "77,0.19";
    desk.write("killed.csv", &cut);
    let more = ["--duration", "100", "--resume", "--json", "-o", "killed.csv"];
    let summary = swept(&desk, "60", &more).ends(0).json();
    assert_eq!(summary["resumed"].as_u64(), Some(before as u64 - 2));
    assert_eq!((summary["ok"].as_u64(), summary["interrupted"].as_bool()), (Some(120), Some(false)));
    swept(&desk, "60", &["--duration", "100", "--jobs", "1", "-q", "-o", "whole.csv"]).ends(0);
    assert_eq!(desk.read("killed.csv"), desk.read("whole.csv"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_table_that_can_be_resumed() {
    let desk = falling();
    let mut child = started(&desk, "150", "left.csv");
    // its file is its own
    let more = ["--duration", "100", "--resume", "-o", "left.csv"];
    swept(&desk, "150", &more).ends(2).says(&["written by another sweep"]);
    signal(&child, "INT");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let left = desk.read("left.csv");
    assert!(left.ends_with('\n') && left.lines().count() < 302);
    swept(&desk, "150", &["--duration", "100", "--resume", "-q", "-o", "left.csv"]).ends(0);
    assert!(desk.read("left.csv").starts_with(&left));
    assert_eq!(desk.read("left.csv").lines().count(), 302);
}

#[test]
fn faults_and_invalid_values_are_rows_with_their_text() {
    let desk = Desk::new();
    desk.write("trouble.toml", TROUBLE);
    let vary = "forces.blast.applied.force=[[1, 2], [1e15, 0, 0], [1e-9, 0, 0]]";
    let measure = ["--measure", "end(bodies.weight.position.z)", "-o", "t.csv", "--json"];
    let ran =
        desk.windlass(&[&["sweep", "trouble.toml", "--vary", vary], &measure[..]].concat()).ends(0).json();
    let counts = ["errors", "faults", "ok"].map(|key| ran[key].as_u64().expect("a count"));
    assert_eq!(counts, [1, 1, 1]);
    let text = desk.read("t.csv");
    let rows: Vec<&str> = text.lines().skip(2).collect();
    assert!(
        rows[0].contains(",error,") && rows[0].contains("forces.blast") && rows[0].ends_with(','),
        "{}",
        rows[0]
    );
    assert!(rows[1].contains(",fault,") && rows[1].contains("mote"), "{}", rows[1]);
    assert!(rows[2].contains(",ok,,"), "{}", rows[2]);
    assert_eq!(ran["columns"][1]["min"], ran["columns"][1]["max"], "of the one complete row");
}

#[test]
fn bad_input_is_named_with_a_remedy() {
    let desk = falling();
    let told = |arguments: &[&str], words: &[&str]| {
        let first = ["sweep", "fall.toml", "-o", "t.csv"];
        desk.windlass(&[&first, arguments].concat()).ends(2).says(words);
        assert!(!desk.path("t.csv").exists());
    };
    told(&[], &["--vary"]);
    told(&["--vary", "bodies.stone.mass=1..2:3"], &["nothing is measured", "help: give a measure"]);
    told(
        &["--vary", "bodies.stoen.mass=1..2:3", "--measure", "time"],
        &["no body \"stoen\"", "did you mean"],
    );
    told(&["--vary", "bodies.stone.mass=1..2", "--measure", "tme"], &["not a grid", "a..b:n"]);
    told(
        &["--vary", "bodies.stone.mass=1..2:3", "--measure", "mx(time)"],
        &["no measure mx", "did you mean max?"],
    );
    told(&["--vary", "bodies.stone.mass~uniform(1, 2)", "--measure", "time"], &["give --sample N"]);
    told(&["--vary", "bodies.stone.mass=1..2:3", "--measure", "time", "--shard", "4/3"], &["K/N"]);
    told(&["--merge", "x.csv"], &["cannot be used with"]);
    desk.runs("sweep nofile.toml --vary a=1..2:2 -o t.csv").ends(1).says(&["nofile.toml"]);
}

#[test]
fn tables_are_not_overwritten_nor_mixed() {
    let desk = falling();
    let of = |samples: &str, more: &[&str]| swept(&desk, samples, &[more, &["-q"]].concat());
    of("2", &["-o", "a.csv"]).ends(0);
    let first = desk.read("a.csv");
    of("2", &["-o", "a.csv"]).ends(2).says(&["already exists", "--resume", "--replace"]);
    of("3", &["-o", "a.csv", "--resume"]).ends(2).says(&["another sweep", "repeat the command"]);
    desk.write("log.csv", "time [s],x\n0,1\n");
    of("2", &["-o", "log.csv", "--resume"]).ends(2).says(&["not the table of a sweep"]);
    desk.write("bad.csv", &first.replace("\n2,", "\n3,"));
    of("2", &["-o", "bad.csv", "--resume"]).ends(2).says(&["row 3 is where row 2 belongs"]);
    desk.write("odd.csv", &first.replace(",ok,", ",fine,"));
    of("2", &["-o", "odd.csv", "--resume"]).ends(2).says(&["line 3 is not a row"]);
    assert_eq!(desk.read("a.csv"), first);
    of("3", &["-o", "a.csv", "--replace"]).ends(0);
    assert_ne!(desk.read("a.csv"), first);
    // shards of different sweeps, missing and contradicting rows
    of("2", &["--shard", "1/2", "-o", "1.csv"]).ends(0);
    of("2", &["--shard", "2/2", "-o", "2.csv"]).ends(0);
    desk.runs("sweep --merge 1.csv a.csv -o m.csv").ends(2).says(&["different sweeps"]);
    desk.runs("sweep --merge 1.csv -o m.csv").ends(2).says(&["2 of 4 rows are missing: 2, 3", "--resume"]);
    desk.write("3.csv", &desk.read("2.csv").replace(",ok,", ",fault,"));
    desk.runs("sweep --merge 1.csv 2.csv 3.csv -o m.csv").ends(2).says(&["different rows 2"]);
    assert!(!desk.path("m.csv").exists());
}

#[test]
fn a_table_is_drawn_with_a_curve_per_value() {
    let desk = falling();
    let grid =
        ["--vary", "bodies.stone.mass=1 kg..2 kg:5", "--vary", "settings.gravity=[[0, 0, -9], [0, 0, -1]]"];
    let more = ["--measure", "drop=range(bodies.stone.position.z)", "--measure", "max(bodies.stone.speed)"];
    desk.windlass(&[&["sweep", "fall.toml", "-q", "-o", "g.csv"], &grid[..], &more[..]].concat()).ends(0);
    desk.runs("plot g.csv -o g.svg").ends(0);
    let drawn = desk.read("g.svg");
    assert!(drawn.contains("bodies.stone.mass") && drawn.contains("gravity = [0, 0, -9]"), "{drawn}");
    assert_eq!(drawn.matches("gravity = [").count(), 4, "two measures at two values");
    desk.runs("plot g.csv -o h.svg --y drop --x bodies.stone.mass").ends(0);
    assert_eq!(desk.read("h.svg").matches("gravity = [").count(), 2);
    swept(&desk, "20", &["-q", "-o", "s.csv"]).ends(0);
    desk.runs("plot s.csv -o s.svg").ends(0);
    // a dot per sample, of both values of the other key
    assert!(desk.read("s.svg").matches("<circle").count() >= 40, "{}", desk.read("s.svg"));
    desk.runs("plot g.csv -o x.svg --y dorp").ends(2).says(&["did you mean \"drop\"?"]);
    desk.runs("plot g.csv -o x.svg --x mass").ends(2).says(&["no column \"mass\" for --x"]);
    desk.runs("plot g.csv -o x.svg --probe time").ends(2).says(&["apply to scenes only"]);
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_table_has_the_rows_of_the_csv_table() {
    let desk = falling();
    swept(&desk, "4", &["-q", "-o", "a.csv"]).ends(0);
    swept(&desk, "4", &["-q", "-o", "a.parquet", "--jobs", "1"]).ends(0);
    swept(&desk, "4", &["-q", "-o", "b.parquet", "--jobs", "2"]).ends(0);
    let bytes = |name: &str| fs::read(desk.path(name)).expect("a file");
    assert_eq!(bytes("a.parquet"), bytes("b.parquet"));
    assert!(!desk.path("a.parquet.rows").exists());
    // the rows that an interrupted sweep leaves beside the table
    let text = desk.read("a.csv");
    desk.write("c.parquet.rows", &text[..text.len() / 2]);
    swept(&desk, "4", &["-q", "-o", "c.parquet", "--resume"]).ends(0);
    assert_eq!(bytes("c.parquet"), bytes("a.parquet"));
    // complete, with the same summary
    let summary = swept(&desk, "4", &["--json", "-o", "c.parquet", "--resume"]).ends(0).json();
    let mut wanted = swept(&desk, "4", &["--json", "-o", "a.csv", "--resume"]).ends(0).json();
    wanted["output"] = "c.parquet".into();
    wanted["wall_time"] = summary["wall_time"].clone();
    assert_eq!(summary, wanted);
    desk.runs("plot a.parquet -o a.svg").ends(0);
    desk.runs("plot a.csv -o b.svg").ends(0);
    assert_eq!(desk.read("a.svg"), desk.read("b.svg"));
}

//! The library and the program are one: numbers, states and recordings of a machine are those of `windlass run`.

use crate::desk;

use desk::Desk;
use std::fs;
use std::path::Path;
use windlass_host::record::RecordObserver;
use windlass_host::run::step_count;
use windlass_host::{Machine, Plan};

const CRANE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/crane/operated.toml");
const DOMINOES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/contact/dominoes.toml");

#[test]
fn outputs_are_the_numbers_of_the_log() {
    let probes =
        ["energy.total", "bodies.*.position", "contacts.started", "contacts.points", "solver.residual"];
    for scene in [CRANE, DOMINOES] {
        let desk = Desk::new();
        let mut arguments = vec!["run", scene, "--duration", "1", "--log", "log.csv", "--quiet"];
        probes.iter().for_each(|probe| arguments.extend(["--probe", probe]));
        desk.windlass(&arguments).0.status.success().then_some(()).expect("a run");
        let log = desk.read("log.csv");
        let mut lines = log.lines();

        let mut machine = Machine::open(Path::new(scene), &[]).expect("a scene");
        let outputs = machine.outputs(&["time", probes[0], probes[1], probes[2], probes[3], probes[4]]);
        let outputs = outputs.expect("probes");
        assert_eq!(lines.next().expect("heads"), outputs.heads().join(","));
        let mut numbers = vec![0.0; outputs.len()];
        for (k, line) in lines.enumerate() {
            if k > 0 {
                machine.step().expect("a step");
            }
            machine.read(&outputs, &mut numbers);
            let logged = line
                .split(',')
                .map(|cell| if cell.is_empty() { f64::NAN } else { cell.parse().expect("a number") });
            for ((logged, read), column) in logged.zip(&numbers).zip(outputs.columns()) {
                // tables have no −0
                let same = logged.to_bits() == (read + 0.0).to_bits() || (logged.is_nan() && read.is_nan());
                assert!(same, "{scene}, line {k}, {}: {logged} and {read}", column.name);
            }
        }
        assert_eq!(machine.step_count(), step_count(1.0, machine.dt()));
    }
}

#[test]
fn a_recording_of_the_library_has_the_bytes_of_the_program() {
    let desk = Desk::new();
    let set = "bodies.load.mass=3 t";
    let ran = desk.windlass(&["run", CRANE, "--duration", "1", "--set", set, "--record", "a.wlr", "--quiet"]);
    assert!(ran.0.status.success(), "{}", ran.err());
    let mut machine = Machine::open(Path::new(CRANE), &[set.parse().expect("an override")]).expect("a crane");
    let header = machine.header().expect("its files can be read");
    let path = desk.path("b.wlr");
    let mut recording = RecordObserver::create(&path, &header, machine.world(), false).expect("a file");
    let steps = step_count(1.0, machine.dt());
    machine.run(Plan::steps(steps), &mut (), &mut [&mut recording]);
    assert!(fs::read(desk.path("a.wlr")).expect("a file") == fs::read(path).expect("a file"), "bytes differ");
}

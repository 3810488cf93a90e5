//! `windlass study`.

use crate::desk;

use desk::Desk;

#[test]
fn studies_are_listed() {
    let desk = Desk::new();
    desk.runs("study").ends(0).says(&["servin/table-1", "Table I", "windlass study all"]);
    let listed = desk.runs("study --json").ends(0).json();
    let names: Vec<_> =
        listed["studies"].as_array().expect("a list").iter().map(|s| s["name"].as_str()).collect();
    assert!(names.contains(&Some("servin/table-1")), "{names:?}");
    desk.runs("study servin/tabel-1").ends(2).says(&["did you mean \"servin/table-1\"?"]);
}

/// One study through every way out. Its rows say which are missed: the exit code has to agree.
#[test]
fn a_study_is_run_and_reported() {
    let desk = Desk::new();
    let ran = desk.runs("study servin/table-1 --quick -o report.html --markdown book");
    let missed = ran.out().contains("MISSED");
    let ran = ran.ends(if missed { 3 } else { 0 }).says(&["Largest stable mass ratio", "its step, again"]);
    let rows = ran.out().lines().filter(|line| line.ends_with("met") || line.ends_with("MISSED")).count();
    assert_eq!(rows, 9, "the nine rows of Table I");

    let page = desk.read("report.html");
    assert_eq!(page.matches("<tr>").count(), 10);
    assert!(page.contains("id=\"servin/table-1\"") && page.ends_with("</html>\n"));
    assert!(!page.contains("<link") && !page.contains("src="), "nothing is fetched from elsewhere");

    let book = desk.read("book/studies.md");
    assert_eq!(book.lines().filter(|line| line.starts_with("| (")).count(), 9);
    assert!(book.contains("`windlass study all --quick`"));

    let json = desk.runs("study servin/table-1 --quick --json").json();
    let study = &json["studies"][0];
    let counts = [&study["met"], &study["missed"]].map(|n| n.as_u64().expect("a count"));
    assert_eq!(counts[0] + counts[1], 9);
    assert_eq!(counts[1] > 0, missed);
    assert_eq!(study["items"][0]["table"]["rows"].as_array().map(Vec::len), Some(9));
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let desk = Desk::new();
    let ran = desk.runs("study servin/table-1 --quick -o nowhere/report.html");
    assert!(matches!(ran.0.status.code(), Some(1 | 3)), "{}", ran.err());
    ran.says(&["cannot write nowhere/report.html"]);
}

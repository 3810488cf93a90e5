//! Tables in Parquet.

use crate::desk;

#[test]
#[cfg(not(feature = "parquet"))]
fn parquet_says_how_to_get_it() {
    let desk = desk::Desk::new();
    desk.write("fall.toml", desk::FALL);
    desk.runs("run fall.toml --log fall.parquet").ends(2).says(&["--features parquet"]);
    assert!(!desk.path("fall.parquet").exists());
}

#[cfg(feature = "parquet")]
mod with_parquet {
    use super::desk::{Desk, FALL, TROUBLE, table};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use std::fs::File;
    use std::path::Path;

    /// Heads, and lines of numbers, NaN for null.
    fn read(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
        let reader = SerializedFileReader::new(File::open(path).expect("a file")).expect("Parquet");
        let columns = reader.metadata().file_metadata().schema_descr().columns().to_vec();
        let number = |field: &Field| match field {
            Field::Double(x) => *x,
            Field::Null => f64::NAN,
            other => panic!("{other:?}"),
        };
        let rows = reader.get_row_iter(None).expect("lines");
        let rows = rows.map(|row| row.expect("a line").get_column_iter().map(|(_, f)| number(f)).collect());
        (columns.iter().map(|c| c.name().to_string()).collect(), rows.collect())
    }

    #[test]
    fn the_same_numbers_as_in_csv() {
        let desk = Desk::new();
        desk.write("trouble.toml", TROUBLE);
        desk.runs("run trouble.toml -q --log t.csv").ends(3);
        desk.runs("run trouble.toml -q --log t.parquet").ends(3);
        let ((heads, rows), (other_heads, other)) =
            (table(&desk.path("t.csv")), read(&desk.path("t.parquet")));
        assert_eq!(heads, other_heads);
        let bits = |rows: &[Vec<f64>]| -> Vec<Vec<Option<u64>>> {
            let cell = |x: &f64| (!x.is_nan()).then_some(x.to_bits());
            rows.iter().map(|row| row.iter().map(cell).collect()).collect()
        };
        assert_eq!(bits(&rows), bits(&other));
        assert!(rows.iter().flatten().any(|x| x.is_nan()), "a broken joint has nulls");
    }

    #[test]
    fn a_table_is_drawn() {
        let desk = Desk::new();
        desk.write("fall.toml", FALL);
        desk.runs("run fall.toml -q --log fall.parquet --probe bodies.stone.position").ends(0);
        desk.runs("run fall.toml -q --log fall.csv --probe bodies.stone.position").ends(0);
        desk.runs("plot fall.parquet --y *.z -o a.svg").ends(0);
        desk.runs("plot fall.csv --y *.z -o b.svg").ends(0);
        assert_eq!(desk.read("a.svg"), desk.read("b.svg"));
        desk.write("junk.parquet", "this is no table of any kind");
        desk.runs("plot junk.parquet -o c.svg").ends(2).says(&["junk.parquet"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told_once() {
        let desk = Desk::new();
        desk.write("fall.toml", FALL);
        std::os::unix::fs::symlink("/dev/full", desk.path("full.parquet")).expect("a link");
        let ran = desk.runs("run fall.toml --log full.parquet").ends(1).says(&["hash"]);
        assert_eq!(ran.err().lines().count(), 1, "{}", ran.err());
    }
}

//! Reader of tyre property files: what it accepts, what it rejects and how, and that it never panics.

use crate::common::{MF61, SEDAN, file, sedan, text};
use proptest::prelude::*;
use windlass_vehicle::tire::magic_formula::Version;
use windlass_vehicle::tire::tir::{Side, TirProblem, parse, parse_bytes};
use windlass_vehicle::tire::{Contact, MagicFormula, Slip, Tire};

const PAC: &str = "PROPERTY_FILE_FORMAT = 'PAC2002'";

fn problem(text: &str) -> TirProblem {
    parse(text).unwrap_err()
}

#[test]
fn comments_strings_tables_and_case() {
    let source = text(PAC, SEDAN).replace("PCX1 = ", "pcx1=   ")
        + "
! a comment with = sign
$----------------------------- another
[SHAPE]
{radial width}
 1.0 0.4
 0.9 1.0
[BOTTOMING_CURVE]
0.1 500.0
[REMARKS]
NAME = \"tire ! with $ signs\" $ comment
";
    let read = parse(&source).unwrap();
    assert_eq!(read.tire, sedan());
    assert_eq!(read.unused.len(), 1);
    assert_eq!((read.unused[0].key.as_str(), read.unused[0].section.as_str()), ("NAME", "REMARKS"));
    assert_eq!(source.lines().nth(read.unused[0].line - 1).unwrap().split_whitespace().next(), Some("NAME"));
}

#[test]
fn encodings_and_line_ends() {
    let plain = text(PAC, SEDAN);
    let windows = format!("\u{feff}{}", plain.replace('\n', "\r\n"));
    assert_eq!(parse(&windows).unwrap().tire, sedan());
    let mut latin = plain.into_bytes();
    latin.extend(b"! Reifen f\xfcr 20 \xb0C\n");
    assert_eq!(parse_bytes(&latin).unwrap().tire, sedan());
    assert_eq!(parse_bytes(&[0xff; 100]), Err(TirProblem::NotTir));
}

/// A change of one coefficient changes what it should, and nothing else.
#[test]
fn scale_factors_scale() {
    let with = |entry: &str| parse(&(text(PAC, SEDAN) + entry + "\n")).unwrap().tire;
    let contact = Contact::upright(4000.0, 16.6);
    let slide = Slip { kappa: 0.07, tan_alpha: -0.06 };
    let base = sedan();
    let (force, stiffness) = (base.pure_slip_force(slide, &contact), base.slip_stiffness(&contact));
    let ratio = |tire: &MagicFormula| {
        let (f, k) = (tire.pure_slip_force(slide, &contact), tire.slip_stiffness(&contact));
        [f.peak_x / force.peak_x, f.peak_y / force.peak_y, k.x / stiffness.x, k.y / stiffness.y]
    };
    for (entry, expected) in [
        ("LMUX = 0.8", [0.8, 1.0, 1.0, 1.0]),
        ("LMUY = 0.8", [1.0, 0.8, 1.0, 1.0]),
        ("LKX = 1.3", [1.0, 1.0, 1.3, 1.0]),
        ("LKY = 1.3", [1.0, 1.0, 1.0, 1.3]),
    ] {
        for (value, reference) in ratio(&with(entry)).into_iter().zip(expected) {
            assert!((value - reference).abs() < 1e-12, "{entry}");
        }
    }
    // similarity of the whole curve in λ_μ: F(λκ', λ) = λ F(κ'), without horizontal shift
    let wet = with("LMUX = 0.5\nLHX = 0");
    let dry = with("LHX = 0");
    let fx = |tire: &MagicFormula, kappa| tire.pure_slip_force(Slip { kappa, tan_alpha: 0.0 }, &contact).fx;
    assert!((fx(&wet, 0.03) / fx(&dry, 0.06) - 0.5).abs() < 1e-12);
    // factors of shifts remove them: no force at zero slip
    let still = with("LHX = 0\nLVX = 0\nLHY = 0\nLVY = 0").force(Slip::default(), &contact);
    assert_eq!((still.fx.abs(), still.fy.abs()), (0.0, 0.0));
    // relaxation lengths and trail
    let sigma = base.relaxation_length(&contact);
    assert!((with("LSGKP = 2").relaxation_length(&contact).x / sigma.x - 2.0).abs() < 1e-12);
    assert!((with("LSGAL = 2").relaxation_length(&contact).y / sigma.y - 2.0).abs() < 1e-12);
    let moment = |tire: &MagicFormula| tire.pure_slip_force(slide, &contact).mz;
    let trailing = moment(&with("LRES = 0"));
    let doubled = moment(&with("LRES = 0\nLTR = 2"));
    assert!((doubled / trailing - 2.0).abs() < 1e-12);
}

#[test]
fn units_are_converted() {
    let metric = sedan();
    let mut source = text(PAC, SEDAN).replace("'meter'", "'mm'").replace("'newton'", "'kN'");
    source = source.replace("'radians'", "'degrees'").replace("'second'", "'ms'");
    let scaled = |source: String, key: &str, factor: f64| {
        source
            .lines()
            .map(|line| match line.split_once(" = ") {
                Some((name, value)) if name == key => {
                    format!("{key} = {:e}\n", value.parse::<f64>().unwrap() / factor)
                }
                _ => format!("{line}\n"),
            })
            .collect::<String>()
    };
    let deg = std::f64::consts::PI / 180.0;
    let factors = [
        ("UNLOADED_RADIUS", 1e-3),
        ("WIDTH", 1e-3),
        ("FNOMIN", 1e3),
        ("FZMIN", 1e3),
        ("FZMAX", 1e3),
        ("VERTICAL_STIFFNESS", 1e6),
        ("VERTICAL_DAMPING", 1e3),
        ("ALPMIN", deg),
        ("ALPMAX", deg),
        ("CAMMIN", deg),
        ("CAMMAX", deg),
        ("LONGVL", 1.0),
        ("VXLOW", 1.0),
    ];
    for (key, factor) in factors {
        source = scaled(source, key, factor);
    }
    let read = parse(&source).unwrap().tire;
    let (a, b) = (metric.coefficients(), read.coefficients());
    for (x, y) in [
        (a.UNLOADED_RADIUS, b.UNLOADED_RADIUS),
        (a.FNOMIN, b.FNOMIN),
        (a.VERTICAL_STIFFNESS, b.VERTICAL_STIFFNESS),
        (a.VERTICAL_DAMPING, b.VERTICAL_DAMPING),
        (a.CAMMAX, b.CAMMAX),
        (a.LONGVL, b.LONGVL),
        (a.FZMAX, b.FZMAX),
        (a.PKY1, b.PKY1),
    ] {
        assert!((x / y - 1.0).abs() < 1e-12, "{x} {y}");
    }
    let unit = problem(&text(PAC, SEDAN).replace("'meter'", "'furlong'"));
    assert!(matches!(&unit, TirProblem::Unit { line: 2, .. }) && unit.to_string().contains("mm"));
}

#[test]
fn versions_and_sides() {
    let version = |model: &str| parse(&text(model, MF61)).map(|read| read.tire.version());
    assert_eq!(version(PAC), Ok(Version::V52));
    assert_eq!(version("PROPERTY_FILE_FORMAT = 'MF_05'"), Ok(Version::V52));
    assert_eq!(version("PROPERTY_FILE_FORMAT = 'MF_05'\nFITTYP = 5"), Ok(Version::V52));
    assert_eq!(version("PROPERTY_FILE_FORMAT = 'USER'\nFITTYP = 61"), Ok(Version::V61));
    assert_eq!(version("FITTYP = 62"), Ok(Version::V62));
    assert!(matches!(version("FITTYP = 7"), Err(TirProblem::Format { line: 8, key: "FITTYP", .. })));
    assert!(matches!(version("PROPERTY_FILE_FORMAT = 'FIALA'"), Err(TirProblem::Format { .. })));
    assert_eq!(version(""), Err(TirProblem::NoFormat));
    let read = file("FITTYP = 61\nTYRESIDE = 'RIGHT'", MF61);
    assert_eq!(read.side, Some(Side::Right));
    assert_eq!(read.mounted(Side::Right), read.tire);
    assert_eq!(read.mounted(Side::Left), read.tire.clone().mirrored());
    assert_eq!(file("FITTYP = 61\nTYRESIDE = 'UNKNOWN'", MF61).side, None);
    let mirrored = file("FITTYP = 61\nUSE_MODE = -14", MF61);
    assert_eq!(mirrored.tire, read.tire.mirrored());
    let side = problem(&text("FITTYP = 61\nTYRESIDE = 'TOP'", MF61));
    assert!(matches!(side, TirProblem::TireSide { line: 9, .. }));
}

#[test]
fn problems_have_line_key_and_remedy() {
    assert_eq!(problem(""), TirProblem::NotTir);
    assert_eq!(problem("PK\u{3}\u{4} some binary"), TirProblem::NotTir);
    assert_eq!(problem("{\"json\": true}"), TirProblem::NotTir);
    assert!(matches!(problem("[UNITS\nLENGTH = 'm'"), TirProblem::Section { line: 1, .. }));
    let good = text(PAC, SEDAN);
    assert!(matches!(problem(&(good.clone() + "nonsense here\n")), TirProblem::Syntax { .. }));
    let double = problem(&(good.clone() + "PCX1 = 1.5\n"));
    let TirProblem::Duplicate { line, key, first } = &double else { panic!("{double}") };
    assert!(key == "PCX1" && first < line && double.to_string().contains("remove"));
    let word = problem(&good.replace("PCX1 = 1.6411", "PCX1 = 1,6411"));
    assert!(
        matches!(&word, TirProblem::NotNumber { key, .. } if key == "PCX1")
            && word.to_string().contains("1,6411")
    );
    assert!(matches!(problem(&good.replace("PCX1 = 1.6411", "PCX1 = inf")), TirProblem::NotNumber { .. }));
    let missing = problem(&good.replace("PKY1 = -21.92", ""));
    assert_eq!(missing, TirProblem::Missing { key: "PKY1", section: "LATERAL_COEFFICIENTS" });
    for (from, to, key) in [
        ("PCX1 = 1.6411", "PCX1 = 0", "PCX1"),
        ("PCX1 = 1.6411", "PCX1 = 2.3", "PCX1"),
        ("FNOMIN = 4850", "FNOMIN = -1", "FNOMIN"),
        ("UNLOADED_RADIUS = 0.344", "UNLOADED_RADIUS = 0", "UNLOADED_RADIUS"),
        ("PKX1 = 22.303", "PKX1 = 0", "PKX1"),
        ("PKY1 = -21.92", "PKY1 = 21.92", "PKY1"),
        ("PKY2 = 2.0012", "PKY2 = 0", "PKY2"),
    ] {
        let source = good.replace(from, to);
        let found = problem(&source);
        let TirProblem::Coefficient { line, problem } = &found else { panic!("{found}") };
        assert_eq!(problem.key, key);
        assert!(source.lines().nth(line - 1).unwrap().starts_with(key), "{found}");
        assert!(found.to_string().contains("give"), "{found}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_read_or_rejected(source in "\\PC{0,200}") {
        let _ = parse(&source);
    }

    #[test]
    fn any_lines_are_read_or_rejected(lines in prop::collection::vec(
        "(\\[[A-Z]{0,8}\\]?|[A-Z]{0,3}[0-9]? ?= ?['\"$!]?[-0-9.e]{0,6}['\"]?|[{}$!é=' ]{0,6})", 0..30)) {
        let _ = parse(&lines.join("\n"));
    }

    #[test]
    fn changed_files_give_finite_forces_or_problems(
        line in 0usize..110, value in prop_oneof![-1e3..1e3f64, -2.0..2.0f64, Just(0.0), Just(1e300), Just(-1e300)],
        kappa in -2.0..2.0f64, tan_alpha in -5.0..5.0f64, load in 0.0..2e4f64,
    ) {
        let source = text(PAC, SEDAN);
        let changed: String = source.lines().enumerate().map(|(i, text)| match text.split_once('=') {
            Some((key, _)) if i == line => format!("{key}= {value:e}\n"),
            _ => format!("{text}\n"),
        }).collect();
        if let Ok(read) = parse(&changed) {
            let force = read.tire.force(Slip { kappa, tan_alpha }, &Contact::upright(load, 10.0));
            if value.abs() < 1e3 {
                prop_assert!(force.fx.is_finite() && force.fy.is_finite() && force.peak_x >= 0.0);
            }
        }
    }
}

//! Suggestions: the nearest of several known words, for "did you mean".

use crate::upgrade;

/// Maximum number of names compared, where a scene may have very many.
pub const MOST: usize = 5000;

/// Terms of other engines and file formats, and the keys for them here.
const OTHERWISE: [(&str, &str); 30] = [
    ("euler", "rotation"),
    ("axis_angle", "rotation"),
    ("quaternion", "orientation"),
    ("quat", "orientation"),
    ("pos", "position"),
    ("translation", "position"),
    ("origin", "position"),
    ("linear_velocity", "velocity"),
    ("omega", "angular_velocity"),
    ("com", "center_of_mass"),
    ("geom", "shape"),
    ("geometry", "shape"),
    ("visual", "visuals"),
    ("fixed", "type"),
    ("static", "type"),
    ("colour", "color"),
    ("rgba", "color"),
    ("parent", "bodies"),
    ("child", "bodies"),
    ("anchor", "at"),
    ("pivot", "at"),
    ("range", "limits"),
    ("timestep", "dt"),
    ("end_time", "duration"),
    ("iterations", "solver_iterations"),
    ("segments", "elements"),
    ("angle", "value"),
    ("displacement", "value"),
    ("rate", "speed"),
    ("sensor", "trigger"),
];

/// Joint types of other engines and formats, in lower case and without common affixes, and their names here.
const JOINTS: [(&str, &str); 38] = [
    ("revolute", "hinge"),
    ("continuous", "hinge"),
    ("hinge", "hinge"),
    ("pin", "hinge"),
    ("rotational", "hinge"),
    ("prismatic", "slider"),
    ("slide", "slider"),
    ("slider", "slider"),
    ("translational", "slider"),
    ("spherical", "ball"),
    ("ball", "ball"),
    ("ballsocket", "ball"),
    ("point2point", "ball"),
    ("fixed", "weld"),
    ("weld", "weld"),
    ("lock", "weld"),
    ("rigid", "weld"),
    ("cylinder", "cylindrical"),
    ("universal", "universal"),
    ("cardan", "universal"),
    ("hooke", "universal"),
    ("homokinetic", "constant_velocity"),
    ("planar", "planar"),
    ("planeplane", "planar"),
    ("pointline", "point_on_line"),
    ("pointplane", "point_on_plane"),
    ("helical", "screw"),
    ("rackpinion", "rack"),
    ("rackandpinion", "rack"),
    ("d6", "six_dof"),
    ("six", "six_dof"),
    ("generic6dof", "six_dof"),
    ("bushing", "six_dof"),
    ("rope", "distance"),
    ("spring", "distance"),
    ("tsda", "distance"),
    ("tendon", "distance"),
    ("mouse", "drag_spring"),
];

/// The name used here for a term of another engine or of an older version, if it is one of the known.
pub fn translated<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let known: Vec<&str> = known.into_iter().collect();
    let ours = OTHERWISE.iter().filter(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours);
    // revolute, RevoluteJoint, ChLinkLockRevolute, btHingeConstraint, b2RevoluteJoint
    let plain: String = word.to_lowercase().chars().filter(|c| *c != '_' && *c != '-').collect();
    let bare =
        ["chlinklock", "chlinkmate", "chlink", "b2", "bt", "px"].iter().find_map(|p| plain.strip_prefix(p));
    let bare = bare.unwrap_or(&plain);
    let bare = ["constraint", "joint"].iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare);
    let joints = JOINTS.iter().filter(|(theirs, _)| *theirs == bare).map(|(_, ours)| *ours);
    ours.chain(upgrade::renamed(word))
        .chain(joints)
        .find_map(|ours| known.iter().copied().find(|k| *k == ours && *k != word))
}

/// The meaning of a word: a known translation, else the known word with the smallest edit distance, if that is small
/// enough.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // long words are not compared: no name typed by a person is that long
    if word.is_empty() || word.len() > 64 {
        return None;
    }
    let allowed = 1 + word.chars().count() / 3;
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(ours) = translated(word, known.iter().copied()) {
        return Some(ours.to_string());
    }
    known
        .into_iter()
        .filter(|k| k.len() <= 64)
        .map(|k| (distance(word, k), k))
        .min_by_key(|(d, _)| *d)
        .filter(|(d, k)| *d <= allowed && *d < k.chars().count())
        .map(|(_, k)| k.to_string())
}

/// The edit distance of two words: insertions, deletions, substitutions and transpositions; case is ignored.
fn distance(a: &str, b: &str) -> usize {
    let lower = |s: &str| s.to_lowercase().chars().collect::<Vec<_>>();
    let (a, b) = (lower(a), lower(b));
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i == 0 || j == 0 {
                rows[i][j] = i + j;
                continue;
            }
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

/// The text, truncated if it would fill a message.
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    text.chars().take(LONGEST).chain(std::iter::once('…')).collect()
}

/// A number for messages: at most six digits.
pub fn digits(x: f64) -> String {
    if !x.is_finite() || (x != 0.0 && !(1e-4..1e9).contains(&x.abs())) {
        return format!("{x:.3e}");
    }
    let decimals = if x == 0.0 { 0 } else { (5 - libm::floor(libm::log10(x.abs())) as i32).max(0) };
    let text = format!("{x:.*}", decimals as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// A number as given, with all digits, but with an exponent instead of many zeros.
pub fn exact(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_string(),
        1e-5..1e9 => x.to_string(),
        _ => format!("{x:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_without_rows_of_zeros() {
        let shown =
            [0.0, -1.0000001, 1e300, -2.5e-7, 123_456_789.5, 1e10, f64::NAN, f64::INFINITY].map(exact);
        assert_eq!(shown, ["0", "-1.0000001", "1e300", "-2.5e-7", "123456789.5", "1e10", "NaN", "inf"]);
    }

    #[test]
    fn numbers_are_shown_short() {
        let shown = [1.0, 0.0, -0.5, 1.0 / 3.0, 123456.789, 34.0, 2e-7, 1.250001].map(digits);
        assert_eq!(shown, ["1", "0", "-0.5", "0.333333", "123457", "34", "2.000e-7", "1.25"]);
    }

    #[test]
    fn small_slips_are_found_and_others_are_not() {
        let keys = ["position", "orientation", "velocity", "mass"];
        assert_eq!(nearest("positon", keys).as_deref(), Some("position"));
        assert_eq!(nearest("Mass", keys).as_deref(), Some("mass"));
        assert_eq!(nearest("amss", keys).as_deref(), Some("mass"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("", keys), None);
    }

    #[test]
    fn words_of_other_engines_are_understood() {
        let keys = ["position", "orientation", "rotation", "velocity", "angular_velocity"];
        assert_eq!(nearest("quat", keys).as_deref(), Some("orientation"));
        assert_eq!(nearest("spin", keys).as_deref(), Some("angular_velocity"));
        // not where there is no such key
        assert_eq!(nearest("quat", ["position"]), None);
        assert_eq!(nearest("rgba", keys), None);
        let joints = ["ball", "hinge", "slider", "cylindrical", "universal", "weld", "distance"];
        for (theirs, ours) in [
            ("revolute", "hinge"),
            ("prismatic", "slider"),
            ("slide", "slider"),
            ("spherical", "ball"),
            ("fixed", "weld"),
            ("cylinder", "cylindrical"),
            ("ChLinkLockLock", "weld"),
            ("ChLinkLockRevolute", "hinge"),
            ("ChLinkUniversal", "universal"),
            ("HingeJoint", "hinge"),
            ("btSliderConstraint", "slider"),
        ] {
            assert_eq!(translated(theirs, joints), Some(ours), "{theirs}");
        }
        assert_eq!(translated("hinge", joints), None, "it is called so here, too");
        assert_eq!(translated("fixed", ["type"]), Some("type"));
    }
}

//! Text of scenes → text that cannot break out of a file: identifiers, comments, numbers.

use glam::DVec3;

/// Longest part of a name that is written.
const LONGEST: usize = 60;

/// A name of letters, digits and `_` that starts with a letter, for identifiers and file names. Names that
/// differ may become equal: put a number beside it.
pub fn plain(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let text: String = name.chars().take(LONGEST).map(keep).collect();
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) { text } else { format!("n{text}") }
}

/// A name fit for a comment to the end of a line.
pub fn comment(name: &str) -> String {
    // nothing that could end the line or the comment, or begin another
    let keep = |c: char| if c.is_control() || c == '*' || c == '/' || c == '\\' { ' ' } else { c };
    name.chars().take(LONGEST).map(keep).filter(|c| !matches!(c, '\u{2028}' | '\u{2029}')).collect()
}

/// A name fit for text and attributes of XML.
pub fn xml(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars().take(LONGEST) {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    text
}

/// A number, as short as reads back the same.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if (1e-5..1e9).contains(&size) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// A number with at most `digits` behind the point, without needless zeros.
pub fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

/// Numbers behind each other with commas between.
pub fn list(values: impl IntoIterator<Item = f64>) -> String {
    values.into_iter().map(number).collect::<Vec<_>>().join(", ")
}

/// A vector as `x, y, z`.
pub fn triple(v: DVec3) -> String {
    list(v.to_array())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out() {
        assert_eq!(plain("../../etc/pass wd"), "n______etc_pass_wd");
        assert_eq!(plain(""), "n");
        assert_eq!(comment("a\n#declare b */ x\u{2028}"), "a #declare b    x");
        assert_eq!(xml("<b a=\"1\">&\u{0}"), "&lt;b a=&quot;1&quot;&gt;&amp; ");
        assert!(plain(&"x".repeat(1000)).len() <= LONGEST + 1);
    }

    #[test]
    fn numbers_read_back_the_same() {
        for value in [0.0, -0.1, 1.0 / 3.0, 1e-300, -2.5e10, 12345.678] {
            assert_eq!(number(value).parse::<f64>().unwrap(), value);
        }
        assert_eq!(number(-0.0), "0");
        assert_eq!(
            (rounded(1.50001, 2), rounded(-0.001, 2), rounded(20.0, 0)),
            ("1.5".into(), "0".into(), "20".into())
        );
    }
}

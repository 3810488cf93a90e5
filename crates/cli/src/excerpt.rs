//! Excerpts of texts with very long lines, for error messages.
//!
//! The line of an error is cut to the text around its column, its neighbours to their beginnings, so that a message has
//! some hundred characters however long the lines of a file are. Line and column are those of the file.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;

/// Lines of up to this many characters are shown whole.
const LONGEST: usize = 300;
/// Characters shown before and after the column of a longer line.
const BEFORE: usize = 60;
const BEHIND: usize = 120;

/// A few lines of a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Excerpt {
    name: String,
    text: String,
    /// The underlined range, in bytes of the excerpt.
    pub span: Range<usize>,
    /// Number of its first line, from 0.
    first: usize,
    lines: usize,
    /// Start of the range in the file, from 0.
    line: usize,
    column: usize,
}

impl Excerpt {
    /// An excerpt around a range of a text; none if its lines are short enough to be shown whole.
    pub fn of(name: &str, text: &str, span: &Range<usize>) -> Option<Excerpt> {
        let start = (0..=span.start.min(text.len())).rev().find(|at| text.is_char_boundary(*at))?;
        let end = (start..=span.end.clamp(start, text.len())).rev().find(|at| text.is_char_boundary(*at))?;
        let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let after = text[start..].find('\n').map_or(text.len(), |at| start + at);
        // a range of several lines is shown by its first line
        let end = end.min(after);
        let above = text[..begin].strip_suffix('\n').map(|t| &t[t.rfind('\n').map_or(0, |at| at + 1)..]);
        let below = text[after..].strip_prefix('\n').map(|t| t.lines().next().unwrap_or(""));
        let own = &text[begin..after];
        if [above, Some(own), below].into_iter().flatten().all(|line| line.len() <= LONGEST) {
            return None;
        }
        let line = text[..begin].matches('\n').count();
        let column = text[begin..start].chars().count();
        let mut out = String::new();
        if let Some(above) = above {
            out += &(head(above) + "\n");
        }
        // the text around the column
        let from =
            text[begin..start].char_indices().rev().nth(BEFORE - 1).map_or(begin, |(at, _)| begin + at);
        let to = text[start..after].char_indices().nth(BEHIND).map_or(after, |(at, _)| start + at);
        if from > begin {
            out.push('…');
        }
        let place = out.len() + (start - from);
        out += &text[from..to];
        let span = place..place + (end.min(to) - start);
        if to < after {
            out.push('…');
        }
        if let Some(below) = below {
            out += &format!("\n{}", head(below));
        }
        let (first, lines) = (line - usize::from(above.is_some()), out.matches('\n').count() + 1);
        Some(Excerpt { name: name.to_string(), text: out, span, first, lines, line, column })
    }
}

/// The beginning of a line.
fn head(line: &str) -> String {
    match line.char_indices().nth(BEFORE + BEHIND) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_string(),
    }
}

impl SourceCode for Excerpt {
    /// The whole excerpt with its first line, or only the range with its line and column if no context is requested.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        behind: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let name = self.name.clone();
        let contents = if before + behind == 0 {
            let bytes = self.text.as_bytes().get(self.span.clone()).unwrap_or_default();
            MietteSpanContents::new_named(name, bytes, *span, self.line, self.column, 1)
        } else {
            let all = SourceSpan::from(0..self.text.len());
            MietteSpanContents::new_named(name, self.text.as_bytes(), all, self.first, 0, self.lines)
        };
        Ok(Box::new(contents.with_language("TOML")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_its_column() {
        let long = format!(
            "above\n{} mass = \"1 kgg\" {}\n{}",
            "ä".repeat(5000),
            "y".repeat(5000),
            "z".repeat(5000)
        );
        let at = long.find("\"1").expect("it is there");
        let excerpt = Excerpt::of("a.toml", &long, &(at..at + 7)).expect("it is long");
        assert_eq!(&excerpt.text[excerpt.span.clone()], "\"1 kgg\"");
        assert!(excerpt.text.chars().count() < 400, "{}", excerpt.text);
        assert_eq!((excerpt.first, excerpt.lines, excerpt.line, excerpt.column), (0, 3, 1, 5008));
        // a long range, one at the end, one beyond the end
        for span in [6..long.len(), long.len()..long.len(), long.len()..long.len() + 9, 7..8] {
            let excerpt = Excerpt::of("a.toml", &long, &span).expect("it is long");
            assert!(excerpt.text.get(excerpt.span.clone()).is_some_and(|t| t.len() < 300), "{span:?}");
        }
        assert_eq!(Excerpt::of("a.toml", "short\nlines\n", &(2..3)), None);
        assert_eq!(Excerpt::of("a.toml", "", &(0..0)), None);
    }
}

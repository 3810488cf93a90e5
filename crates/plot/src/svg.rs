//! A drawing in SVG: lines, paths and text, in pixels from the top left corner.
//!
//! Written by hand because a figure needs parts of pixels, which drawing libraries' SVG backends round away.

use std::fmt::Write;

/// Fonts, the first there is.
const FONTS: &str = "Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif";

/// Alignment of text relative to its point.
#[derive(Clone, Copy, Debug)]
pub enum Stand {
    Start,
    Middle,
    End,
}

/// A drawing while it is made.
#[derive(Debug)]
pub struct Drawing(String);

impl Drawing {
    /// Of a size, white.
    pub fn new(width: f64, height: f64) -> Drawing {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\" font-size=\"12\">"
        );
        let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>");
        Drawing(out)
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), color: &str, width: f64) {
        let _ = writeln!(
            self.0,
            "<path d=\"M{:.2} {:.2}L{:.2} {:.2}\" stroke=\"{color}\" stroke-width=\"{width}\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    /// Lines through points; each list is one stroke.
    pub fn curve(&mut self, strokes: &[Vec<(f64, f64)>], color: &str, dashes: &str) {
        let mut path = String::new();
        for stroke in strokes {
            for (i, (x, y)) in stroke.iter().enumerate() {
                let _ = write!(path, "{}{x:.2} {y:.2}", if i == 0 { "M" } else { "L" });
            }
            // a stroke of one point is a dot
            if let [(x, y)] = stroke.as_slice() {
                let _ = write!(path, "L{x:.2} {y:.2}");
            }
        }
        let dashes =
            if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
        let _ = writeln!(
            self.0,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\" \
             stroke-linejoin=\"round\" stroke-linecap=\"round\"{dashes}/>"
        );
    }

    /// A dot.
    pub fn dot(&mut self, at: (f64, f64), color: &str) {
        let _ = writeln!(self.0, "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"3\" fill=\"{color}\"/>", at.0, at.1);
    }

    /// Text at a point.
    pub fn text(&mut self, at: (f64, f64), stand: Stand, text: &str) {
        self.styled(at, stand, text, "");
    }

    /// Larger text at a point.
    pub fn heading(&mut self, at: (f64, f64), text: &str) {
        self.styled(at, Stand::Start, text, " font-size=\"14\" font-weight=\"600\"");
    }

    /// Text that reads upward, its middle at a point.
    pub fn upward(&mut self, at: (f64, f64), text: &str) {
        let turn = format!(" transform=\"rotate(-90 {:.2} {:.2})\"", at.0, at.1);
        self.styled(at, Stand::Middle, text, &turn);
    }

    fn styled(&mut self, (x, y): (f64, f64), stand: Stand, text: &str, style: &str) {
        let anchor = match stand {
            Stand::Start => "start",
            Stand::Middle => "middle",
            Stand::End => "end",
        };
        let _ = writeln!(
            self.0,
            "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\" fill=\"#222\"{style}>{}</text>",
            escaped(text)
        );
    }

    /// The complete text.
    pub fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}

/// Approximate width of text; fonts differ.
pub fn width(text: &str) -> f64 {
    let letter = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | '\'' | '|' | 'I' | '(' | ')' | '[' | ']' | '·' => 3.6,
        'f' | 't' | 'r' | ' ' | '-' => 4.2,
        'm' | 'w' | 'M' | 'W' => 10.2,
        c if c.is_uppercase() => 8.4,
        _ => 6.8,
    };
    text.chars().map(letter).sum()
}

/// Text as XML has it; letters that XML has not are left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

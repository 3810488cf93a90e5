//! Curves → a drawing: one panel for each unit, all above the same horizontal axis.
//!
//! ```text
//!  title
//!  legend
//!  y │ panel          a panel of one curve has its name along the axis, one of several a legend above it
//!    └──────
//!  legend
//!  y │ panel
//!    └──────
//!       x
//! ```

use crate::svg::{Drawing, Stand, width};
use crate::ticks::{Axis, Scale};

/// A figure.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// Text above it.
    pub title: Option<String>,
    /// In pixels; none for the required size.
    pub size: Option<(u32, u32)>,
    /// The quantity of the horizontal axis.
    pub x: Measure,
    /// Scales of the horizontal axis and of the vertical ones.
    pub scales: [Scale; 2],
    /// The label of the vertical axis; default: the common part of the names of its curves.
    pub y: Option<String>,
    /// The curves; those of one unit share a panel.
    pub curves: Vec<Curve>,
}

/// Name and unit of numbers.
#[derive(Clone, Debug, Default)]
pub struct Measure {
    /// "time".
    pub name: String,
    /// "s"; empty for plain numbers.
    pub unit: String,
}

impl Measure {
    /// Of a name in a unit.
    pub fn new(name: &str, unit: &str) -> Measure {
        Measure { name: name.to_string(), unit: unit.to_string() }
    }
}

/// How the points of a curve are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Joined by lines.
    #[default]
    Line,
    /// Each by a dot.
    Dots,
    /// Both.
    DottedLine,
}

/// Points of one kind.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Their name and unit.
    pub measure: Measure,
    /// Horizontal and vertical numbers; one that is not finite parts the curve.
    pub points: Vec<(f64, f64)>,
    /// How they are drawn.
    pub mark: Mark,
}

impl Curve {
    /// Points joined by lines.
    pub fn line(name: &str, unit: &str, points: Vec<(f64, f64)>) -> Curve {
        Curve { measure: Measure::new(name, unit), points, mark: Mark::Line }
    }

    /// Points drawn as dots.
    pub fn dots(name: &str, unit: &str, points: Vec<(f64, f64)>) -> Curve {
        Curve { measure: Measure::new(name, unit), points, mark: Mark::Dots }
    }

    /// Points drawn as dots, with lines between them.
    pub fn dotted_line(name: &str, unit: &str, points: Vec<(f64, f64)>) -> Curve {
        Curve { measure: Measure::new(name, unit), points, mark: Mark::DottedLine }
    }
}

/// Colours that are distinguishable also with colour vision deficiency (Okabe and Ito), without the faint yellow.
const COLORS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
/// Line styles that distinguish curves when the colours have been used.
const DASHES: [&str; 4] = ["", "6 3", "2 3", "8 3 2 3"];
const GRID: &str = "#e4e4e4";
const ZERO: &str = "#b0b0b0";
const FRAME: &str = "#444";

const WIDTH: f64 = 720.0;
const PANEL: f64 = 220.0;
const GAP: f64 = 18.0;
const RIGHT: f64 = 22.0;
const LEGEND_LINE: f64 = 18.0;
/// Room below the last panel: tick labels and the name of the axis.
const BOTTOM: f64 = 46.0;
/// Pixels between ticks, about.
const ACROSS: f64 = 80.0;
const UP: f64 = 45.0;

/// A rectangle in which curves are drawn.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

/// The curves of one unit.
struct Panel<'a> {
    curves: Vec<&'a Curve>,
    axis: Axis,
    /// What stands along the axis, without the unit.
    name: String,
    /// Names of the curves and where they stand, in lines from the top.
    legend: Vec<(f64, usize, String)>,
    legend_lines: usize,
}

impl Figure {
    /// Draws.
    pub fn draw(&self) -> String {
        let groups = self.groups();
        let whole = self.size.map_or(WIDTH, |(w, _)| f64::from(w));
        let heading = if self.title.is_some() { 30.0 } else { 10.0 };
        let named = self.y.as_deref();
        let mut panels: Vec<_> = groups.into_iter().map(|curves| Panel::new(curves, whole, named)).collect();
        let legends: f64 = panels.iter().map(|p| p.legend_lines as f64 * LEGEND_LINE).sum();
        let count = panels.len() as f64;
        let fixed = heading + BOTTOM + legends + GAP * (count - 1.0);
        let height = self.size.map_or(PANEL, |(_, h)| ((f64::from(h) - fixed) / count).max(40.0));
        panels.iter_mut().for_each(|p| p.fit(height, self.scales[1]));

        let labels = panels.iter().flat_map(|p| &p.axis.labels).map(|l| width(l)).fold(0.0, f64::max);
        let left = 38.0 + labels;
        let across = whole - left - RIGHT;
        // time fills the width; other quantities keep a margin
        let lines = |c: &Curve| c.mark == Mark::Line && c.points.is_sorted_by(|a, b| a.0 <= b.0);
        let margin = if self.curves.iter().all(lines) { 0.0 } else { 0.03 };
        let numbers = self.curves.iter().flat_map(|c| c.points.iter().map(|p| p.0));
        let x = Axis::new(numbers, self.scales[0], &self.x.unit, (across / ACROSS).floor(), margin);

        let mut drawing = Drawing::new(whole, fixed + count * height);
        if let Some(title) = &self.title {
            drawing.heading((left, 20.0), title);
        }
        let mut top = heading;
        for (i, panel) in panels.iter().enumerate() {
            panel.draw_legend(&mut drawing, left, top);
            top += panel.legend_lines as f64 * LEGEND_LINE;
            let area = Area { left, top, width: across, height };
            panel.draw(&mut drawing, area, &x);
            if i + 1 == panels.len() {
                area.name_horizontal(&mut drawing, &x, &self.x.name);
            }
            top += height + GAP;
        }
        drawing.finish()
    }

    /// Curves by unit, in the order in which units come.
    fn groups(&self) -> Vec<Vec<&Curve>> {
        let mut groups: Vec<Vec<&Curve>> = Vec::new();
        for curve in &self.curves {
            match groups.iter_mut().find(|group| group[0].measure.unit == curve.measure.unit) {
                Some(group) => group.push(curve),
                None => groups.push(vec![curve]),
            }
        }
        groups
    }
}

impl<'a> Panel<'a> {
    fn new(curves: Vec<&'a Curve>, whole: f64, named: Option<&str>) -> Panel<'a> {
        let names: Vec<_> = curves.iter().map(|c| c.measure.name.as_str()).collect();
        let (name, shown) = match named {
            Some(name) => (name.to_string(), names.iter().map(|n| n.to_string()).collect()),
            None => parted(&names),
        };
        let (mut legend, mut at, mut line) = (Vec::new(), 0.0, 0);
        for curve in shown {
            let wide = 28.0 + width(&curve) + 16.0;
            if at > 0.0 && at + wide > whole - 100.0 {
                (at, line) = (0.0, line + 1);
            }
            legend.push((at, line, curve));
            at += wide;
        }
        let legend_lines = if legend.is_empty() { 0 } else { line + 1 };
        let axis = Axis::new(std::iter::empty(), Scale::Linear, "", 1.0, 0.0);
        Panel { curves, axis, name, legend, legend_lines }
    }

    /// Makes the axis, now that the height is known.
    fn fit(&mut self, height: f64, scale: Scale) {
        let numbers = self.curves.iter().flat_map(|c| c.points.iter().map(|p| p.1));
        self.axis = Axis::new(numbers, scale, &self.curves[0].measure.unit, (height / UP).floor(), 0.05);
    }

    fn draw_legend(&self, drawing: &mut Drawing, left: f64, top: f64) {
        for (i, (at, line, name)) in self.legend.iter().enumerate() {
            let (x, y) = (left + at, top + *line as f64 * LEGEND_LINE + 7.0);
            match self.curves[i].mark {
                Mark::Dots => drawing.dot((x + 10.0, y), color(i)),
                _ => drawing.curve(&[vec![(x, y), (x + 20.0, y)]], color(i), dashes(i)),
            }
            if self.curves[i].mark == Mark::DottedLine {
                drawing.dot((x + 10.0, y), color(i));
            }
            drawing.text((x + 26.0, y + 4.0), Stand::Start, name);
        }
    }

    fn draw(&self, drawing: &mut Drawing, area: Area, x: &Axis) {
        area.grid(drawing, x, &self.axis);
        for (i, curve) in self.curves.iter().enumerate() {
            let points = || curve.points.iter().map(|(u, v)| area.point(x, &self.axis, *u, *v));
            if curve.mark != Mark::Dots {
                let strokes = thinned(points());
                if !strokes.is_empty() {
                    drawing.curve(&strokes, color(i), dashes(i));
                }
            }
            if curve.mark != Mark::Line {
                points().flatten().for_each(|point| drawing.dot(point, color(i)));
            }
        }
        let name = titled(&self.name, &self.axis.unit);
        drawing.upward((16.0, area.top + 0.5 * area.height), &name);
    }
}

impl Area {
    fn bottom(&self) -> f64 {
        self.top + self.height
    }

    fn across(&self, x: &Axis, number: f64) -> f64 {
        self.left + self.width * x.place(number)
    }

    fn up(&self, y: &Axis, number: f64) -> f64 {
        self.bottom() - self.height * y.place(number)
    }

    /// None where there is no number.
    fn point(&self, x: &Axis, y: &Axis, u: f64, v: f64) -> Option<(f64, f64)> {
        (x.has(u) && y.has(v)).then(|| (self.across(x, u), self.up(y, v)))
    }

    /// Grid, frame, ticks and the labels at the side.
    fn grid(&self, drawing: &mut Drawing, x: &Axis, y: &Axis) {
        let (right, bottom) = (self.left + self.width, self.bottom());
        for tick in &x.ticks {
            let u = self.across(x, *tick);
            drawing.line((u, self.top), (u, bottom), GRID, 0.8);
            drawing.line((u, bottom), (u, bottom + 4.0), FRAME, 1.0);
        }
        for (tick, label) in y.ticks.iter().zip(&y.labels) {
            let v = self.up(y, *tick);
            let shade = if *tick == 0.0 { ZERO } else { GRID };
            drawing.line((self.left, v), (right, v), shade, 0.8);
            drawing.line((self.left - 4.0, v), (self.left, v), FRAME, 1.0);
            drawing.text((self.left - 8.0, v + 4.0), Stand::End, label);
        }
        drawing.line((self.left, self.top), (self.left, bottom), FRAME, 1.0);
        drawing.line((self.left, bottom), (right, bottom), FRAME, 1.0);
    }

    /// Labels and name of the horizontal axis.
    fn name_horizontal(&self, drawing: &mut Drawing, x: &Axis, name: &str) {
        for (tick, label) in x.ticks.iter().zip(&x.labels) {
            drawing.text((self.across(x, *tick), self.bottom() + 18.0), Stand::Middle, label);
        }
        let middle = self.left + 0.5 * self.width;
        drawing.text((middle, self.bottom() + 38.0), Stand::Middle, &titled(name, &x.unit));
    }
}

fn color(i: usize) -> &'static str {
    COLORS[i % COLORS.len()]
}

fn dashes(i: usize) -> &'static str {
    DASHES[(i / COLORS.len()) % DASHES.len()]
}

/// The common ending of names, for the axis, and the rest of each, for the
/// legend:
/// `bodies.a.speed` and `bodies.b.speed` are "speed" of "a" and "b". A single name needs no legend.
fn parted(names: &[&str]) -> (String, Vec<String>) {
    let [first, others @ ..] = names else { return (String::new(), Vec::new()) };
    if others.is_empty() {
        return (first.to_string(), Vec::new());
    }
    let words: Vec<Vec<&str>> = names.iter().map(|name| name.split('.').collect()).collect();
    let shortest = words.iter().map(Vec::len).min().unwrap_or(0);
    let same = |place: &dyn Fn(&Vec<&'_ str>) -> String| words.iter().all(|w| place(w) == place(&words[0]));
    // one word at least is left of each
    let before = (0..shortest - 1).take_while(|i| same(&|w| w[*i].to_string())).count();
    let after = (1..shortest - before).take_while(|i| same(&|w| w[w.len() - i].to_string())).count();
    let name = words[0][words[0].len() - after..].join(".");
    (name, words.iter().map(|w| w[before..w.len() - after].join(".")).collect())
}

/// "height [m]".
fn titled(name: &str, unit: &str) -> String {
    match (name, unit) {
        (name, "") => name.to_string(),
        ("", unit) => format!("[{unit}]"),
        (name, unit) => format!("{name} [{unit}]"),
    }
}

/// Points → strokes with no more points than can be seen: of a run of points in one column of pixels the
/// first, the last and the extremes stay. A missing point parts strokes.
fn thinned(points: impl Iterator<Item = Option<(f64, f64)>>) -> Vec<Vec<(f64, f64)>> {
    let mut strokes = Vec::new();
    let mut stroke: Vec<(f64, f64)> = Vec::new();
    let mut run: Vec<(f64, f64)> = Vec::new();
    let column = |p: &(f64, f64)| (2.0 * p.0).floor();
    for point in points.chain(std::iter::once(None)) {
        let ends = match (&point, run.first()) {
            (Some(p), Some(first)) => column(p) != column(first),
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if ends {
            stroke.extend(kept(&run));
            run.clear();
        }
        match point {
            Some(p) => run.push(p),
            None if !stroke.is_empty() => strokes.push(std::mem::take(&mut stroke)),
            None => {}
        }
    }
    strokes
}

/// First, extremes and last of a run, in their order.
fn kept(run: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if run.len() <= 4 {
        return run.to_vec();
    }
    let places = 0..run.len();
    let by_height = |a: &usize, b: &usize| run[*a].1.total_cmp(&run[*b].1);
    let low = places.clone().min_by(by_height).unwrap_or(0);
    let high = places.max_by(by_height).unwrap_or(0);
    let mut kept = vec![0, low, high, run.len() - 1];
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|place| run[place]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_points_become_few_and_peaks_stay() {
        let wave = |i: i32| f64::from(i % 10) * if i == 50_000 { 100.0 } else { 1.0 };
        let points =
            (0..100_001).map(|i| Some((f64::from(i) * 0.005, if i == 50_000 { 999.0 } else { wave(i) })));
        let strokes = thinned(points);
        assert_eq!(strokes.len(), 1);
        assert!(strokes[0].len() < 5000, "{}", strokes[0].len());
        assert!(strokes[0].iter().any(|p| p.1 == 999.0), "the peak stays");
        assert_eq!(strokes[0].last().map(|p| p.0), Some(500.005 - 0.005));
    }

    #[test]
    fn what_names_share_stands_along_the_axis() {
        let parts = |names: &[&str]| {
            let (name, curves) = parted(names);
            format!("{name}: {}", curves.join(" "))
        };
        assert_eq!(parts(&["bodies.a.speed", "bodies.b.speed"]), "speed: a b");
        assert_eq!(parts(&["a.x", "a.y"]), ": x y");
        assert_eq!(parts(&["a.1.value", "b.value"]), "value: a.1 b");
        assert_eq!(parts(&["height", "depth"]), ": height depth");
        assert_eq!(parts(&["a.x", "a.x"]), ": x x");
        assert_eq!(parts(&["a.x"]), "a.x: ");
    }

    #[test]
    fn a_missing_number_parts_the_curve() {
        let points = [Some((0.0, 0.0)), Some((1.0, 1.0)), None, None, Some((3.0, 0.0))];
        let strokes = thinned(points.into_iter());
        assert_eq!(strokes, [vec![(0.0, 0.0), (1.0, 1.0)], vec![(3.0, 0.0)]]);
    }
}

//! A range of numbers → ticks, their labels, and the unit they are written in.

use libm::{floor, log10, pow};

/// Scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    #[default]
    Linear,
    /// Equal steps are equal ratios; numbers that are not positive are left out.
    Logarithmic,
}

/// An axis: its range, its ticks and their labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    pub ticks: Vec<f64>,
    pub labels: Vec<String>,
    /// As it is printed: "kN", "10⁻⁹ m". Empty for plain numbers.
    pub unit: String,
}

/// Metric prefixes by power of ten.
const PREFIXES: [(i32, &str); 6] = [(-9, "n"), (-6, "µ"), (-3, "m"), (3, "k"), (6, "M"), (9, "G")];
/// Units that take them in front.
const PREFIXED: [&str; 8] = ["m", "m/s", "m/s²", "N", "N·m", "J", "W", "Pa"];

/// Larger numbers are not drawn: their differences would overflow.
const LARGEST: f64 = 1e100;

/// Whether a number can be drawn on an axis.
pub fn drawable(number: f64) -> bool {
    number.abs() <= LARGEST
}

impl Axis {
    /// An axis for numbers, with an approximate number of ticks; `margin` is left free at both ends, relative to the
    /// range.
    pub fn new(
        numbers: impl Iterator<Item = f64>,
        scale: Scale,
        unit: &str,
        count: f64,
        margin: f64,
    ) -> Axis {
        match scale {
            Scale::Linear => Axis::linear(numbers, unit, count, margin),
            Scale::Logarithmic => Axis::logarithmic(numbers, unit, count, margin),
        }
    }

    fn linear(numbers: impl Iterator<Item = f64>, unit: &str, count: f64, margin: f64) -> Axis {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut low, mut high) =
            numbers.filter(|n| drawable(*n)).fold(ends, |(l, h), n| (l.min(n), h.max(n)));
        if low > high {
            (low, high) = (0.0, 0.0);
        }
        let size = low.abs().max(high.abs());
        // differences of round-off are ignored
        if !(high - low > 1e-9 * size) || size < 1.0 / LARGEST {
            let middle = 0.5 * (low + high);
            let room = if size < 1.0 / LARGEST { 1.0 } else { 0.1 * size };
            (low, high) = (middle - room, middle + room);
        }
        let room = margin * (high - low);
        (low, high) = (low - room, high + room);
        let step = nice((high - low) / count.max(1.0));
        // a run of 10 s ends at 9.999999999
        let first = (low / step - 1e-6).ceil();
        let last = (high / step + 1e-6).floor();
        // at most a few dozen, whatever the numbers
        let ticks: Vec<_> =
            (0..=((last - first) as u32).min(50)).map(|i| (first + f64::from(i)) * step).collect();
        let (power, unit) = scaled(low.abs().max(high.abs()), &printed(unit));
        let scale = pow(10.0, f64::from(power));
        let decimals = (-floor(log10(step / scale) + 1e-9)).clamp(0.0, 12.0) as usize;
        let label = |tick: &f64| minus(&format!("{:.decimals$}", tick / scale + 0.0));
        let labels = ticks.iter().map(label).collect();
        Axis { low, high, scale: Scale::Linear, ticks, labels, unit }
    }

    /// Ticks at powers of ten, and at 2 and 5 times them where they are few.
    fn logarithmic(numbers: impl Iterator<Item = f64>, unit: &str, count: f64, margin: f64) -> Axis {
        let powers = numbers.filter(|n| drawable(*n) && *n > 1.0 / LARGEST).map(log10);
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut low, mut high) = powers.fold(ends, |(l, h), p| (l.min(p), h.max(p)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // a decade at least, so that there are two ticks
        let room = (margin * (high - low)).max(0.5 * (1.0 - (high - low)));
        (low, high) = (low - room, high + room);
        let every = ((high - low) / count.max(1.0)).ceil().max(1.0);
        let first = ((low - 1e-6) / every).ceil();
        let last = ((high + 1e-6) / every).floor();
        let decades = (0..=((last - first).max(0.0) as u32).min(50)).map(|i| (first + f64::from(i)) * every);
        let parts: &[f64] = if last - first < 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let between = |tick: &f64| (low - 1e-6..=high + 1e-6).contains(&log10(*tick));
        let begin = if parts.len() > 1 { Some(first - 1.0) } else { None };
        let ticks: Vec<f64> = begin
            .into_iter()
            .chain(decades)
            .flat_map(|power| parts.iter().map(move |part| part * pow(10.0, power)))
            .filter(between)
            .collect();
        let labels = ticks.iter().map(|tick| short(*tick)).collect();
        Axis { low, high, scale: Scale::Logarithmic, ticks, labels, unit: printed(unit) }
    }

    /// Whether a number can be drawn here.
    pub fn has(&self, number: f64) -> bool {
        drawable(number) && (self.scale == Scale::Linear || number > 1.0 / LARGEST)
    }

    /// Position of a number, 0 to 1.
    pub fn place(&self, number: f64) -> f64 {
        let number = if self.scale == Scale::Logarithmic { log10(number) } else { number };
        (number - self.low) / (self.high - self.low)
    }
}

/// The nearest round number: 1, 2 or 5 times a power of ten.
fn nice(step: f64) -> f64 {
    let power = pow(10.0, floor(log10(step)));
    // borders are where the neighbours are off by the same factor
    let borders = [(2.0_f64.sqrt(), 1.0), (10.0_f64.sqrt(), 2.0), (50.0_f64.sqrt(), 5.0)];
    power * borders.iter().find(|(border, _)| step / power < *border).map_or(10.0, |(_, nice)| *nice)
}

/// The power of ten that labels are divided by, and the unit that includes it.
fn scaled(size: f64, unit: &str) -> (i32, String) {
    // plain up to 9999 and down to 0.01
    if size == 0.0 || (0.01..1e4).contains(&size) {
        return (0, unit.to_string());
    }
    let power = 3 * floor(log10(size) / 3.0) as i32;
    let prefix = PREFIXES.iter().find(|p| p.0 == power && PREFIXED.contains(&unit));
    match (prefix, unit) {
        (Some((_, prefix)), unit) => (power, format!("{prefix}{unit}")),
        (None, "") => (power, format!("10{}", raised(power))),
        (None, unit) => (power, format!("10{} {unit}", raised(power))),
    }
}

/// A unit as it is printed: "N·m", "m/s²".
fn printed(unit: &str) -> String {
    let letters = unit.replace('*', "·").replace("^2", "²").replace("^3", "³");
    match letters.as_str() {
        "us" => "µs".to_string(),
        "deg" => "°".to_string(),
        _ => letters.replace("deg/", "°/"),
    }
}

/// A tick between or at powers of ten: "0.02", "100", "5·10⁶".
fn short(tick: f64) -> String {
    if (0.009..20_000.0).contains(&tick) {
        let digits = (-floor(log10(tick) + 1e-9)).max(0.0) as usize;
        return format!("{tick:.digits$}");
    }
    let power = floor(log10(tick) + 1e-9);
    match (tick / pow(10.0, power)).round() {
        1.0 => format!("10{}", raised(power as i32)),
        part => format!("{part}·10{}", raised(power as i32)),
    }
}

/// A number as an exponent.
fn raised(power: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        c => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][c.to_digit(10).unwrap_or(0) as usize],
    };
    power.to_string().chars().map(digit).collect()
}

/// With a minus sign instead of a hyphen; −0 is 0.
fn minus(label: &str) -> String {
    match label.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|b| b == b'0' || b == b'.') => rest.to_string(),
        Some(rest) => format!("−{rest}"),
        None => label.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(low: f64, high: f64, unit: &str) -> (Vec<String>, String) {
        let axis = Axis::new([low, high].into_iter(), Scale::Linear, unit, 5.0, 0.0);
        (axis.labels, axis.unit)
    }

    #[test]
    fn ticks_are_round_and_large_numbers_get_a_prefix() {
        assert_eq!(axis(0.0, 10.0, "s"), (vec!["0", "2", "4", "6", "8", "10"].map_to(), "s".to_string()));
        assert_eq!(axis(-0.1, 0.1, "m").0, ["−0.10", "−0.05", "0.00", "0.05", "0.10"]);
        assert_eq!(
            axis(0.0, 25_000.0, "N"),
            (vec!["0", "5", "10", "15", "20", "25"].map_to(), "kN".to_string())
        );
        assert_eq!(axis(0.0, 0.002, "m").1, "mm");
        assert_eq!(axis(0.0, 2e-5, "rad").1, "10⁻⁶ rad");
        assert_eq!(axis(0.0, 5e4, "kg*m/s").1, "10³ kg·m/s");
        assert_eq!(axis(0.0, 5.0, "deg/s").1, "°/s");
    }

    #[test]
    fn numbers_that_do_not_change_have_an_axis_too() {
        for number in [0.0, 3.0, -20_000.0, 1e-320, 1e100] {
            let axis = Axis::new([number, number].into_iter(), Scale::Linear, "m", 5.0, 0.05);
            assert!(axis.low < number && number < axis.high, "{axis:?}");
            assert!(axis.ticks.len() >= 2, "{axis:?}");
        }
        assert!(Axis::new([1.0, 1e308, f64::NAN].into_iter(), Scale::Linear, "", 5.0, 0.05).high < 2.0);
        assert!(Axis::new(std::iter::empty(), Scale::Linear, "", 5.0, 0.05).ticks.len() >= 2);
    }

    #[test]
    fn ratios_have_powers_of_ten() {
        let axis = |numbers: &[f64]| Axis::new(numbers.iter().copied(), Scale::Logarithmic, "", 5.0, 0.0);
        assert_eq!(axis(&[1.0, 1e6]).labels, ["1", "100", "10000", "10⁶"].map(String::from));
        assert_eq!(axis(&[10.0, 1e-4, 0.0, -3.0, f64::NAN]).labels.first().unwrap(), "10⁻⁴");
        let near = axis(&[3.0, 4.0]);
        assert!(near.labels.contains(&"5".to_string()) && near.ticks.len() >= 2, "{near:?}");
        let wide = axis(&[1.0, 100.0]);
        assert!((wide.place(10.0) - 0.5).abs() < 1e-12 && !wide.has(0.0) && wide.has(1e9));
        assert!(axis(&[]).ticks.len() >= 2);
    }

    trait MapTo {
        fn map_to(self) -> Vec<String>;
    }

    impl MapTo for Vec<&str> {
        fn map_to(self) -> Vec<String> {
            self.into_iter().map(String::from).collect()
        }
    }
}

//! Formatting of numbers and counts.

/// "1 joint", "2 joints".
pub fn count(n: usize, noun: &str) -> String {
    match (n, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "body") => format!("{n} bodies"),
        _ => format!("{n} {noun}s"),
    }
}

/// A number with four significant digits.
pub fn digits(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_string()
    } else if !(1e-3..1e6).contains(&size) {
        format!("{x:.3e}")
    } else {
        let after = [10.0, 100.0, 1000.0].iter().filter(|limit| size < **limit).count();
        let below = [1.0, 0.1, 0.01].iter().filter(|limit| size < **limit).count();
        let text = format!("{x:.0$}", after + below);
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_are_kept() {
        let shown = [0.0, 1.0, 1.0 / 60.0, 123.456, 9_999.6, 123_456.0, 1.5e-7, -0.25, 2.5e9];
        let wanted = ["0", "1", "0.01667", "123.5", "10000", "123456", "1.500e-7", "-0.25", "2.500e9"];
        assert_eq!(shown.map(digits), wanted);
    }
}

//! Frequency and depth become a wave number: ω² = g k tanh kd.
//!
//! With y = kd and x = ω²d/g, Newton's iteration on y tanh y = x starts from Eckart's y₀ = x/√tanh x, which is within
//! 5 %, and converges to round-off in four iterations or fewer.

/// Value of x above which tanh x is 1 to round-off.
const DEEP: f64 = 20.0;

/// Wave number [rad/m] of an angular frequency ω [rad/s] at a depth [m], which may be infinite, under gravity [m/s²].
pub fn wavenumber(omega: f64, depth: f64, gravity: f64) -> f64 {
    let deep = omega * omega / gravity;
    let x = deep * depth;
    if x > DEEP {
        return deep;
    }
    let mut y = x / libm::tanh(x).sqrt();
    for _ in 0..6 {
        let tanh = libm::tanh(y);
        let step = (y * tanh - x) / (tanh + y * (1.0 - tanh * tanh));
        y -= step;
        if step.abs() <= 1e-16 * y {
            break;
        }
    }
    y / depth
}

#[cfg(test)]
mod tests {
    use super::wavenumber;

    #[test]
    fn residual_is_at_round_off() {
        for i in 0..400 {
            let omega = 0.7 * libm::pow(10.0, -4.0 + 0.02 * i as f64);
            for depth in [0.1, 5.0, 20.0, 200.0, 1e4] {
                let k = wavenumber(omega, depth, 9.81);
                let residual = 9.81 * k * libm::tanh(k * depth) / (omega * omega) - 1.0;
                assert!(residual.abs() < 1e-15, "ω {omega}, d {depth}: {residual:e}");
            }
            assert_eq!(wavenumber(omega, f64::INFINITY, 9.81), omega * omega / 9.81);
        }
    }

    #[test]
    fn shallow_water_is_not_dispersive() {
        let k = wavenumber(1e-4, 1.0, 9.81);
        assert!((1e-4 / k / 9.81f64.sqrt() - 1.0).abs() < 1e-8);
    }
}

//! Units of tyre property files: the section [UNITS] becomes factors to SI units.
//!
//! Coefficients of the Magic Formula itself are dimensionless or refer to radians in all files; only quantities with a
//! dimension of their own, such as radii, loads, stiffnesses and ranges, are converted.

use std::f64::consts::PI;

/// Dimension of a quantity in a tyre property file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    One,
    Length,
    Force,
    Angle,
    Speed,
    Pressure,
    Stiffness,
    Damping,
}

/// Factors from the units of a file to SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Units {
    length: f64,
    force: f64,
    angle: f64,
    time: f64,
    /// `None`: force over length squared.
    pressure: Option<f64>,
}

impl Default for Units {
    fn default() -> Units {
        Units { length: 1.0, force: 1.0, angle: 1.0, time: 1.0, pressure: None }
    }
}

/// Names of units, in lower case, with their factors to SI units.
const LENGTHS: &[(&str, f64)] = &[
    ("meter", 1.0),
    ("meters", 1.0),
    ("metre", 1.0),
    ("m", 1.0),
    ("mm", 1e-3),
    ("millimeter", 1e-3),
    ("millimeters", 1e-3),
    ("cm", 1e-2),
    ("centimeter", 1e-2),
    ("km", 1e3),
    ("kilometer", 1e3),
    ("inch", 0.0254),
    ("in", 0.0254),
    ("foot", 0.3048),
    ("feet", 0.3048),
    ("ft", 0.3048),
];
const FORCES: &[(&str, f64)] = &[
    ("newton", 1.0),
    ("newtons", 1.0),
    ("n", 1.0),
    ("kn", 1e3),
    ("knewton", 1e3),
    ("kilonewton", 1e3),
    ("pound_force", 4.448_221_615_260_5),
    ("lbf", 4.448_221_615_260_5),
    ("kg_force", 9.80665),
    ("kgf", 9.80665),
];
const ANGLES: &[(&str, f64)] = &[
    ("radian", 1.0),
    ("radians", 1.0),
    ("rad", 1.0),
    ("degree", PI / 180.0),
    ("degrees", PI / 180.0),
    ("deg", PI / 180.0),
];
const MASSES: &[(&str, f64)] = &[
    ("kg", 1.0),
    ("kilogram", 1.0),
    ("kilograms", 1.0),
    ("gram", 1e-3),
    ("g", 1e-3),
    ("tonne", 1e3),
    ("megagram", 1e3),
    ("pound_mass", 0.453_592_37),
    ("lbm", 0.453_592_37),
    ("slug", 14.593_902_937),
];
const TIMES: &[(&str, f64)] = &[
    ("second", 1.0),
    ("seconds", 1.0),
    ("sec", 1.0),
    ("s", 1.0),
    ("millisecond", 1e-3),
    ("ms", 1e-3),
    ("minute", 60.0),
    ("min", 60.0),
    ("hour", 3600.0),
];
const PRESSURES: &[(&str, f64)] = &[
    ("pascal", 1.0),
    ("pa", 1.0),
    ("kpa", 1e3),
    ("kpascal", 1e3),
    ("mpa", 1e6),
    ("bar", 1e5),
    ("psi", 6_894.757_293_168),
];

/// What became of an entry of the section [UNITS].
pub(super) enum UnitEntry {
    /// The unit is in use.
    Accepted,
    /// No quantity of this name is converted.
    UnknownQuantity,
    /// The quantity has no such unit; these are the ones it has.
    UnknownUnit(String),
}

impl Units {
    /// Takes an entry of the section [UNITS].
    pub(super) fn set(&mut self, quantity: &str, unit: &str) -> UnitEntry {
        let table = match quantity {
            "LENGTH" => LENGTHS,
            "FORCE" => FORCES,
            "ANGLE" => ANGLES,
            "MASS" => MASSES,
            "TIME" => TIMES,
            "PRESSURE" => PRESSURES,
            _ => return UnitEntry::UnknownQuantity,
        };
        let name = unit.to_ascii_lowercase();
        let Some(&(_, factor)) = table.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = table.iter().map(|(known, _)| *known).collect();
            return UnitEntry::UnknownUnit(known.join(", "));
        };
        match quantity {
            "LENGTH" => self.length = factor,
            "FORCE" => self.force = factor,
            "ANGLE" => self.angle = factor,
            "TIME" => self.time = factor,
            "PRESSURE" => self.pressure = Some(factor),
            // no mass is read, the unit is only checked
            _ => {}
        }
        UnitEntry::Accepted
    }

    /// Factor of a dimension to SI units.
    pub(super) fn factor(&self, dimension: Dimension) -> f64 {
        match dimension {
            Dimension::One => 1.0,
            Dimension::Length => self.length,
            Dimension::Force => self.force,
            Dimension::Angle => self.angle,
            Dimension::Speed => self.length / self.time,
            Dimension::Pressure => self.pressure.unwrap_or(self.force / (self.length * self.length)),
            Dimension::Stiffness => self.force / self.length,
            Dimension::Damping => self.force * self.time / self.length,
        }
    }
}

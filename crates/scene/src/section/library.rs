//! Typical values of construction classes of ropes.
//!
//! A rope of diameter d has, with the factors of its class,
//!
//! ```text
//!  metallic area   A = C d²                    mass per length   W d²
//!  breaking load   K d² R                      R the grade of the wires, 1770 MPa unless given; K d² for fibre ropes
//!  EA = E A                                    E the apparent modulus of the rope on its metallic area, after bedding in
//!  EI = E_wire A w²/16, GJ = EI/(1 + ν)        n wires of one diameter w = √(4 A/π n) that slide on each other
//! ```
//!
//! The values are typical of EN 12385-4 (steel wire ropes), EN 12385-10 (spiral strands), EN 697, 699, 701 and 698
//! (fibre ropes), EN 818-2 (short link chain) and manufacturers' tables. They are general knowledge, neither copied
//! from these tables nor verified against them entry by entry. For a design use the certificate of the rope and give
//! `breaking_load`, `mass_per_length`, `elongation` or `axial_stiffness` beside `construction`. The modulus of a new
//! wire rope may be a quarter lower. That of a fibre rope rises with its load: it is the secant up to a fifth of the
//! breaking load. Bending stiffness is the lower bound: wires that do not slide make a rope several times as stiff,
//! and more so under tension. Damping ratios are typical of tests: wire ropes 1 % in stretch at 10 Hz and 5 % in
//! bending at 1 Hz, fibre ropes 5 % at 5 Hz and 10 % at 1 Hz.

use std::f64::consts::PI;

/// Default tensile strength of the wires of a wire rope [Pa].
pub const GRADE: f64 = 1.77e9;
/// Young's modulus of a steel wire [Pa].
pub const WIRE: f64 = 2e11;

/// Damping times of stretch, bend and twist [s]: ζ/(π f).
const WIRES: [f64; 3] = [0.01 / (PI * 10.0), 0.05 / PI, 0.05 / PI];
const FIBRES: [f64; 3] = [0.05 / (PI * 5.0), 0.10 / PI, 0.10 / PI];

/// Typical values of a class.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// C: load-bearing area over d².
    pub area: f64,
    /// W: mass per length over d² [kg/m³].
    pub mass: f64,
    /// K: breaking load over d² and grade, or over d² [Pa] for classes without a grade.
    pub breaking: f64,
    pub has_grade: bool,
    /// E of the rope [Pa].
    pub young: f64,
    /// E of one wire, for bending [Pa].
    pub wire: f64,
    /// Number of wires or yarns that slide on each other; 0 for a chain, which has no bending stiffness.
    pub wires: u32,
    /// Smallest permissible bend radius over d, that of a sheave; 0 for no limit.
    pub radius: f64,
    /// Outer diameter over d; above 1 for a chain, whose d is that of its wire.
    pub outer: f64,
    pub damping: [f64; 3],
    /// Material of the surface, for contact and drawing.
    pub surface: &'static str,
}

/// Wire rope: C, W [kg/m per mm² / 100], K, E [GPa], wires, sheave diameter over d.
const fn wire_rope(c: f64, w: f64, k: f64, young: f64, wires: u32, sheave: f64) -> Class {
    Class {
        area: c,
        // kg per 100 m and mm² → kg/m³
        mass: w * 1e4,
        breaking: k,
        has_grade: true,
        young: young * 1e9,
        wire: WIRE,
        wires,
        radius: 0.5 * sheave,
        outer: 1.0,
        damping: WIRES,
        surface: "steel",
    }
}

/// Fibre rope: W, breaking load over d² [MPa], strain at a fifth of the breaking load.
const fn fibre_rope(w: f64, k: f64, strain: f64, surface: &'static str) -> Class {
    // fibres and the air between them fill the circle
    let area = 0.25 * PI;
    let young = 0.2 * k * 1e6 / strain / area;
    Class {
        area,
        mass: w * 1e4,
        breaking: k * 1e6,
        has_grade: false,
        young,
        wire: young,
        wires: 1000,
        radius: 4.0,
        outer: 1.0,
        damping: FIBRES,
        surface,
    }
}

/// Short link chain of wire d: 2 legs, links 1.3 d wide inside; stretches as studless chain does.
const fn chain(strength: f64) -> Class {
    Class {
        area: 0.5 * PI,
        mass: 2.2 * 1e4,
        breaking: 0.5 * PI * strength * 1e6,
        has_grade: false,
        young: 54e9,
        wire: 0.0,
        wires: 0,
        radius: 0.0,
        outer: 3.6,
        damping: WIRES,
        surface: "steel",
    }
}

#[rustfmt::skip]
pub const ROPES: &[(&str, Class)] = &[
    // stranded wire rope                 C      W      K    E/GPa  wires  D/d
    ("6x7 FC",            wire_rope(0.369, 0.345, 0.332, 100.0,   42, 42.0)),
    ("6x19 FC",           wire_rope(0.384, 0.359, 0.330,  95.0,  114, 30.0)),
    ("6x19 IWRC",         wire_rope(0.449, 0.400, 0.356, 105.0,  163, 30.0)),
    ("6x36 FC",           wire_rope(0.393, 0.367, 0.330,  90.0,  216, 23.0)),
    ("6x36 IWRC",         wire_rope(0.460, 0.409, 0.356, 100.0,  265, 23.0)),
    ("8x19 FC",           wire_rope(0.349, 0.340, 0.293,  85.0,  152, 25.0)),
    ("8x19 IWRC",         wire_rope(0.457, 0.407, 0.346,  95.0,  201, 25.0)),
    ("8x36 IWRC",         wire_rope(0.462, 0.417, 0.356,  95.0,  337, 20.0)),
    ("7x7",               wire_rope(0.457, 0.395, 0.359, 110.0,   49, 42.0)),
    ("7x19",              wire_rope(0.430, 0.381, 0.340,  95.0,  133, 25.0)),
    ("18x7",              wire_rope(0.433, 0.401, 0.328,  95.0,  133, 34.0)),
    ("35x7",              wire_rope(0.480, 0.454, 0.360, 105.0,  245, 25.0)),
    // spiral strands
    ("1x7 strand",        wire_rope(0.610, 0.491, 0.540, 150.0,    7, 100.0)),
    ("1x19 strand",       wire_rope(0.597, 0.503, 0.525, 140.0,   19, 80.0)),
    ("1x37 strand",       wire_rope(0.590, 0.487, 0.500, 130.0,   37, 60.0)),
    // fibre ropes                             W     K/MPa  strain
    ("nylon 3-strand",        fibre_rope(0.0617, 200.0, 0.15,  "nylon")),
    ("nylon double braid",    fibre_rope(0.0650, 235.0, 0.11,  "nylon")),
    ("polyester 3-strand",    fibre_rope(0.0758, 160.0, 0.05,  "polyester")),
    ("polyester double braid", fibre_rope(0.0750, 235.0, 0.03, "polyester")),
    ("polypropylene 3-strand", fibre_rope(0.0450, 142.0, 0.08, "polyethylene")),
    ("manila 3-strand",       fibre_rope(0.0700,  80.0, 0.04,  "leather")),
    ("aramid braid",          fibre_rope(0.0750, 500.0, 0.008, "polyester")),
    ("HMPE",                  fibre_rope(0.0500, 800.0, 0.007, "polyethylene")),
    // short link chain: breaking stress of its two legs [MPa]
    ("chain G40",             chain(400.0)),
    ("chain G80",             chain(800.0)),
    ("chain G100",            chain(1000.0)),
];

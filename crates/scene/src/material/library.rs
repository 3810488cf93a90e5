//! Common materials at room temperature, dry and clean unless their names indicate otherwise.
//!
//! Values vary with alloy, grain, temperature and moisture: these are typical values of handbooks. They are general
//! knowledge, neither copied from the tables nor verified against them entry by entry: for a design use data sheets
//! and `[materials]` in the scene. Where only one coefficient of friction is common it is used for static and kinetic
//! friction. The letters name sources of such values:
//!
//! * E: engineeringtoolbox.com, tables of densities, of Young's moduli, of Poisson's ratios, of friction coefficients
//! * M: Marks' Standard Handbook for Mechanical Engineers, tables of friction of solids, of properties of materials
//! * G: textbooks of soil mechanics (Das, Terzaghi); for soils, bulk values
//! * P: textbooks of physics (Serway), tables of friction
//! * B: A. Tasora, *An optimized Lagrangian-multiplier approach for interactive multibody simulation* (2001), Table 1: measured
//!   on a bicycle's tyre 28-622; copied unchanged, "less than" taken as the bound
//! * T: a typical value for which sources differ widely; restitutions are all of this kind
//!
//! Colours and roughnesses are for rendering only.

/// Typical values of a material.
pub struct Usual {
    /// [kg/m³]
    pub density: f64,
    /// [Pa]
    pub young: f64,
    pub poisson: f64,
    pub restitution: f64,
    /// Static and kinetic friction against itself.
    pub friction: [f64; 2],
    pub color: [u8; 3],
    pub roughness: f64,
    pub metallic: bool,
}

const fn metal(bulk: [f64; 4], friction: [f64; 2], color: u32, roughness: f64) -> Usual {
    Usual { metallic: true, ..solid(bulk, friction, color, roughness) }
}

/// `bulk` is density [kg/m³], Young's modulus [GPa], Poisson's ratio, restitution.
const fn solid(bulk: [f64; 4], friction: [f64; 2], color: u32, roughness: f64) -> Usual {
    let [density, young, poisson, restitution] = bulk;
    let [_, red, green, blue] = color.to_be_bytes();
    Usual {
        density,
        young: young * 1e9,
        poisson,
        restitution,
        friction,
        color: [red, green, blue],
        roughness,
        metallic: false,
    }
}

#[rustfmt::skip]
pub const MATERIALS: &[(&str, Usual)] = &[
    // metals                     density   E/GPa   ν    e       at rest, sliding            sources: bulk; friction
    ("steel",           metal([7850.0, 200.0, 0.30, 0.60], [0.74, 0.57], 0x8a929a, 0.45)), // E; M mild steel
    ("tram_rail",       metal([7850.0, 200.0, 0.30, 0.60], [0.74, 0.57], 0x7d8288, 0.40)), // as steel: of a tramway
    ("wet_tram_rail",   metal([7850.0, 200.0, 0.30, 0.60], [0.74, 0.57], 0x6d7278, 0.20)), // as steel
    ("dirty_tram_rail", metal([7850.0, 200.0, 0.30, 0.60], [0.74, 0.57], 0x5d5a54, 0.60)), // as steel; wet, too
    ("stainless_steel", metal([8000.0, 193.0, 0.30, 0.60], [0.74, 0.57], 0xb8bec4, 0.30)), // E (304); as mild steel, T
    ("cast_iron",       metal([7200.0, 110.0, 0.26, 0.65], [1.10, 0.15], 0x4f5256, 0.70)), // E (grey); M
    // the handbook's sliding value for aluminium, 1.4, is above the one at rest: taken as equal
    ("aluminium",       metal([2700.0,  69.0, 0.33, 0.50], [1.05, 1.05], 0xc9ccd0, 0.40)), // E; M
    ("copper",          metal([8960.0, 117.0, 0.34, 0.30], [1.00, 1.00], 0xb87333, 0.35)), // E; E
    ("brass",           metal([8500.0, 105.0, 0.34, 0.35], [0.50, 0.40], 0xc8a951, 0.35)), // E; T
    ("bronze",          metal([8800.0, 110.0, 0.34, 0.40], [0.50, 0.40], 0xa97142, 0.40)), // E; T
    ("lead",            metal([11340.0, 16.0, 0.44, 0.15], [0.90, 0.90], 0x5c6068, 0.65)), // E; T
    ("titanium",        metal([4500.0, 116.0, 0.34, 0.55], [0.36, 0.30], 0x9d9a96, 0.40)), // E; T (Ti-6Al-4V)
    ("magnesium",       metal([1740.0,  45.0, 0.29, 0.50], [0.60, 0.60], 0xb5b7b9, 0.45)), // E; E
    ("nickel",          metal([8900.0, 200.0, 0.31, 0.55], [1.10, 0.53], 0xada79b, 0.35)), // E; M
    ("zinc",            metal([7140.0,  96.0, 0.25, 0.40], [0.60, 0.60], 0xa5aab0, 0.50)), // E; E
    ("tungsten",        metal([19300.0, 400.0, 0.28, 0.60], [0.50, 0.40], 0x707478, 0.40)), // E; T
    // plastics, rubber, leather
    ("rubber",          solid([1100.0, 0.01, 0.49, 0.80], [1.16, 1.16], 0x202124, 0.90)), // E; E
    ("bicycle_tyre",    solid([1100.0, 0.01, 0.49, 0.80], [1.16, 1.16], 0x18191b, 0.85)), // as rubber
    ("nylon",           solid([1140.0,  2.7, 0.39, 0.70], [0.20, 0.20], 0xe8e4d8, 0.55)), // E; E
    ("polyester",       solid([1380.0,  2.8, 0.38, 0.65], [0.20, 0.20], 0xe6e9ee, 0.55)), // E (PET); T
    ("polyethylene",    solid([950.0,   0.9, 0.42, 0.65], [0.20, 0.20], 0xdfe3e6, 0.50)), // E (HD); E
    ("pvc",             solid([1400.0,  3.0, 0.40, 0.60], [0.40, 0.40], 0x9aa5ad, 0.50)), // E; T
    ("ptfe",            solid([2200.0,  0.5, 0.46, 0.50], [0.04, 0.04], 0xf2f2ee, 0.50)), // E; M
    ("acrylic",         solid([1180.0,  3.2, 0.37, 0.60], [0.80, 0.80], 0xd9ecf2, 0.10)), // E; E
    ("polycarbonate",   solid([1200.0,  2.4, 0.37, 0.65], [0.31, 0.31], 0xcfe3ea, 0.15)), // E; E
    ("carbon_fibre",    solid([1600.0, 70.0, 0.10, 0.60], [0.30, 0.25], 0x2b2d30, 0.35)), // E (woven, in epoxy); T
    ("leather",         solid([900.0,   0.1, 0.40, 0.40], [0.60, 0.50], 0x7a4a2a, 0.85)), // E; T
    // wood, along the grain
    ("oak",             solid([700.0,  11.0, 0.35, 0.50], [0.62, 0.48], 0xa9794a, 0.75)), // E; M
    ("pine",            solid([500.0,   9.0, 0.33, 0.50], [0.40, 0.20], 0xd9b383, 0.75)), // E; P
    ("plywood",         solid([600.0,   9.0, 0.30, 0.50], [0.40, 0.20], 0xcfa86f, 0.75)), // E; P
    ("wood",            solid([600.0,  10.0, 0.33, 0.50], [0.40, 0.20], 0xb98a56, 0.75)), // E; P
    // stone, building materials, glass, ice
    ("concrete",        solid([2400.0, 30.0, 0.20, 0.30], [0.65, 0.65], 0xa3a29d, 0.90)), // E; T
    ("asphalt",         solid([2350.0,  3.0, 0.35, 0.30], [0.70, 0.60], 0x3b3b3d, 0.95)), // E (20 °C); T
    ("wet_asphalt",     solid([2350.0,  3.0, 0.35, 0.30], [0.60, 0.50], 0x2a2b2e, 0.45)), // as dry; T
    ("paving_stone",    solid([2600.0, 50.0, 0.25, 0.50], [0.60, 0.60], 0x99938a, 0.85)), // E; as granite
    ("wet_paving_stone", solid([2600.0, 50.0, 0.25, 0.50], [0.50, 0.50], 0x77726b, 0.40)), // as dry; T
    ("granite",         solid([2700.0, 52.0, 0.25, 0.50], [0.60, 0.60], 0x8d8480, 0.80)), // E; T (rock on rock)
    ("brick",           solid([1900.0, 15.0, 0.20, 0.35], [0.65, 0.65], 0x9c4a36, 0.90)), // E; E (masonry)
    ("glass",           solid([2500.0, 70.0, 0.22, 0.90], [0.94, 0.40], 0xcfe8e6, 0.05)), // E; M
    ("ice",             solid([917.0,   9.1, 0.33, 0.50], [0.10, 0.03], 0xd6ecf5, 0.15)), // E; P
    // grounds, loose: friction against itself is the tangent of the angle of repose
    ("soil",            solid([1600.0, 0.02, 0.30, 0.10], [0.55, 0.50], 0x6b4f36, 1.00)), // G
    ("grass",           solid([1600.0, 0.02, 0.30, 0.10], [0.55, 0.50], 0x6f8f45, 1.00)), // as soil: turf
    ("clay",            solid([1900.0, 0.02, 0.40, 0.10], [0.40, 0.35], 0x8f5f43, 1.00)), // G
    ("sand",            solid([1600.0, 0.05, 0.30, 0.10], [0.62, 0.55], 0xd8c08a, 1.00)), // G
    ("gravel",          solid([1700.0, 0.10, 0.30, 0.15], [0.75, 0.65], 0x8b8680, 1.00)), // G
    // liquids and gases have neither stiffness nor dry friction
    ("water",           solid([1000.0, 0.0, 0.50, 0.0], [0.0, 0.0], 0x3f7fa6, 0.05)), // E
    ("seawater",        solid([1025.0, 0.0, 0.50, 0.0], [0.0, 0.0], 0x2f6f8f, 0.05)), // E
    ("air",             solid([1.225,  0.0, 0.50, 0.0], [0.0, 0.0], 0xe6f2fa, 0.05)), // E (dry, 15 °C, 1013 hPa)
];

/// Static and kinetic friction between two different materials.
#[rustfmt::skip]
pub const PAIRS: &[(&str, &str, f64, f64)] = &[
    ("steel", "aluminium",       0.61, 0.47), // M
    ("steel", "copper",          0.53, 0.36), // M
    ("steel", "brass",           0.51, 0.44), // M
    ("steel", "bronze",          0.51, 0.34), // M (sliding, phosphor bronze); at rest as brass
    ("steel", "cast_iron",       0.40, 0.23), // E
    ("steel", "lead",            0.95, 0.95), // M
    ("steel", "magnesium",       0.60, 0.42), // M (at rest as against itself)
    ("steel", "nickel",          0.64, 0.64), // M
    ("steel", "titanium",        0.36, 0.31), // T
    ("steel", "ptfe",            0.04, 0.04), // M
    ("steel", "nylon",           0.40, 0.40), // E
    ("steel", "polyethylene",    0.20, 0.20), // E
    ("steel", "polycarbonate",   0.31, 0.31), // T
    ("steel", "acrylic",         0.45, 0.45), // E
    ("steel", "rubber",          0.80, 0.70), // T
    ("steel", "leather",         0.60, 0.56), // E; M on cast iron
    ("steel", "oak",             0.50, 0.30), // E: wood on metal 0.2 to 0.6
    ("steel", "pine",            0.50, 0.30), // E: wood on metal 0.2 to 0.6
    ("steel", "plywood",         0.50, 0.30), // E: wood on metal 0.2 to 0.6
    ("steel", "wood",            0.50, 0.30), // E: wood on metal 0.2 to 0.6
    ("steel", "concrete",        0.45, 0.45), // T
    ("steel", "glass",           0.60, 0.60), // E: glass on metal 0.5 to 0.7
    ("steel", "ice",             0.03, 0.03), // E
    ("steel", "soil",            0.35, 0.30), // G: two thirds of the soil's own angle
    ("steel", "clay",            0.30, 0.25), // G
    ("steel", "sand",            0.40, 0.35), // G
    ("steel", "gravel",          0.45, 0.40), // G
    ("cast_iron", "copper",      1.05, 0.29), // M
    ("cast_iron", "lead",        0.43, 0.43), // M
    ("cast_iron", "oak",         0.49, 0.49), // M
    ("cast_iron", "leather",     0.60, 0.56), // M
    ("copper", "glass",          0.68, 0.53), // M
    ("nickel", "glass",          0.78, 0.56), // M
    ("oak", "leather",           0.61, 0.52), // M
    ("rubber", "asphalt",        0.90, 0.65), // E: sliding 0.5 to 0.8
    ("rubber", "concrete",       1.00, 0.80), // P
    ("rubber", "ice",            0.15, 0.15), // T
    ("rubber", "soil",           0.60, 0.55), // T: tyre on earth road
    ("rubber", "sand",           0.50, 0.45), // T
    ("rubber", "gravel",         0.60, 0.55), // T: tyre on gravel
    ("bicycle_tyre", "asphalt",          0.97, 0.86), // B: clean
    ("bicycle_tyre", "wet_asphalt",      0.90, 0.88), // B: wet
    ("bicycle_tyre", "paving_stone",     0.68, 0.65), // B: clean
    ("bicycle_tyre", "wet_paving_stone", 0.62, 0.61), // B: wet
    ("bicycle_tyre", "tram_rail",        0.45, 0.42), // B: clean
    ("bicycle_tyre", "wet_tram_rail",    0.38, 0.38), // B: wet, but clean
    ("bicycle_tyre", "dirty_tram_rail",  0.35, 0.34), // B: wet and dirty, less than
    ("wood", "concrete",         0.62, 0.62), // E
    ("oak", "concrete",          0.62, 0.62), // E: wood on concrete
    ("pine", "concrete",         0.62, 0.62), // E: wood on concrete
    ("wood", "brick",            0.60, 0.60), // E
    ("oak", "brick",             0.60, 0.60), // E: wood on brick
    ("pine", "brick",            0.60, 0.60), // E: wood on brick
    ("wood", "ice",              0.05, 0.05), // E
    ("pine", "ice",              0.05, 0.05), // E: wood on ice
    ("oak", "ice",               0.05, 0.05), // E: wood on ice
    ("concrete", "soil",         0.45, 0.40), // G
    ("concrete", "sand",         0.50, 0.45), // G
    ("concrete", "gravel",       0.55, 0.50), // G
];

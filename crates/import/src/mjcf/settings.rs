//! `<compiler>` and `<option>`.

use crate::error::ImportError;
use crate::machine::Pose;
use crate::xml::{Attribute, Element, unit};
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::PI;
use std::ops::RangeInclusive;
use windlass_engine::math;

/// The source of the mass of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromGeom {
    /// From `<inertial>`, never from shapes.
    Never,
    /// From shapes, always.
    Always,
    /// From shapes where there is no `<inertial>`.
    Auto,
}

/// Settings for the interpretation of the file.
#[derive(Debug)]
pub struct Compiler {
    /// Factor of angles.
    pub angle: f64,
    /// Axes of Euler angles; capitals are extrinsic ones.
    pub euler: [char; 3],
    /// Folder of meshes, relative to the file.
    pub meshes: String,
    /// Whether only the name of a mesh counts, not its folder.
    pub strip_path: bool,
    /// Whether shapes are fitted to the bounding boxes of meshes.
    pub fit_bounds: bool,
    /// Whether a range implies a limit.
    pub auto_limits: bool,
    /// The source of mass.
    pub from_geom: FromGeom,
    /// Groups of shapes that have mass.
    pub groups: RangeInclusive<i32>,
    /// Whether impossible moments of inertia are replaced by their mean.
    pub balance: bool,
    /// Minimum mass of a body [kg].
    pub least_mass: f64,
    /// Minimum moment of inertia [kg·m²].
    pub least_inertia: f64,
    /// Total mass [kg]; unchanged if not above 0.
    pub total_mass: f64,
}

impl Compiler {
    /// Reads all `<compiler>`s; later ones take precedence.
    pub fn read(root: &Element) -> Result<Compiler, ImportError> {
        let mut c = Compiler {
            angle: PI / 180.0,
            euler: ['x', 'y', 'z'],
            meshes: String::new(),
            strip_path: false,
            fit_bounds: false,
            auto_limits: true,
            from_geom: FromGeom::Auto,
            groups: 0..=5,
            balance: false,
            least_mass: 0.0,
            least_inertia: 0.0,
            total_mass: -1.0,
        };
        for e in root.all("compiler") {
            c.take(e)?;
        }
        Ok(c)
    }

    fn take(&mut self, e: &Element) -> Result<(), ImportError> {
        if let Some(a) = e.get("angle") {
            self.angle = match a.value.as_str() {
                "degree" => PI / 180.0,
                "radian" => 1.0,
                _ => return Err(a.unknown("\"degree\" or \"radian\"")),
            };
        }
        if let Some(a) = e.get("coordinate")
            && a.value != "local"
        {
            return Err(a.unknown("\"local\": global coordinates are no longer part of MJCF"));
        }
        if let Some(a) = e.get("eulerseq") {
            let axes: Vec<char> = a.value.chars().collect();
            self.euler = <[char; 3]>::try_from(axes)
                .ok()
                .filter(|axes| axes.iter().all(|c| "xyzXYZ".contains(*c)))
                .ok_or_else(|| a.unknown("three of x, y, z, X, Y, Z"))?;
        }
        for name in ["assetdir", "meshdir"] {
            if let Some(a) = e.get(name) {
                self.meshes = a.value.clone();
            }
        }
        if let Some(a) = e.get("inertiafromgeom") {
            self.from_geom = match a.value.as_str() {
                "true" => FromGeom::Always,
                "false" => FromGeom::Never,
                "auto" => FromGeom::Auto,
                _ => return Err(a.unknown("\"true\", \"false\" or \"auto\"")),
            };
        }
        if let Some(a) = e.get("inertiagrouprange") {
            let n = a.numbers(2, 2)?;
            self.groups = n[0] as i32..=n[1] as i32;
        }
        let truth = |name: &str, now: bool| e.get(name).map_or(Ok(now), Attribute::truth);
        self.strip_path = truth("strippath", self.strip_path)?;
        self.fit_bounds = truth("fitaabb", self.fit_bounds)?;
        self.auto_limits = truth("autolimits", self.auto_limits)?;
        self.balance = truth("balanceinertia", self.balance)?;
        let number = |name: &str, now: f64| e.get(name).map_or(Ok(now), Attribute::number);
        self.least_mass = number("boundmass", self.least_mass)?;
        self.least_inertia = number("boundinertia", self.least_inertia)?;
        self.total_mass = number("settotalmass", self.total_mass)?;
        // welded bodies are merged in any case, if requested
        e.get("fusestatic");
        Ok(())
    }

    /// The pose given by `pos` and one of the orientation attributes.
    pub fn pose<'a>(&self, get: impl Fn(&str) -> Option<&'a Attribute>) -> Result<Pose, ImportError> {
        let at = get("pos").map_or(Ok(DVec3::ZERO), Attribute::vector)?;
        Ok(Pose::new(at, self.orientation(get)?))
    }

    fn orientation<'a>(&self, get: impl Fn(&str) -> Option<&'a Attribute>) -> Result<DQuat, ImportError> {
        if let Some(a) = get("axisangle") {
            let n = a.numbers(4, 4)?;
            let axis = unit(DVec3::new(n[0], n[1], n[2]));
            let axis = axis.ok_or_else(|| a.unknown("an axis of nonzero length, and an angle"))?;
            return Ok(math::turn(axis, n[3] * self.angle));
        }
        if let Some(a) = get("xyaxes") {
            let n = a.numbers(6, 6)?;
            let (x, y) = (DVec3::new(n[0], n[1], n[2]), DVec3::new(n[3], n[4], n[5]));
            let help = "two directions that are not parallel";
            let x = unit(x).ok_or_else(|| a.unknown(help))?;
            let y = unit(y - x * x.dot(y)).ok_or_else(|| a.unknown(help))?;
            return Ok(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))));
        }
        if let Some(a) = get("zaxis") {
            return Ok(z_to(a.direction()?));
        }
        if let Some(a) = get("euler") {
            let angles = a.vector()?.to_array().map(|x| x * self.angle);
            return Ok(self.euler.iter().zip(angles).fold(DQuat::IDENTITY, |q, (axis, angle)| {
                let e = match axis.to_ascii_lowercase() {
                    'x' => DVec3::X,
                    'y' => DVec3::Y,
                    _ => DVec3::Z,
                };
                let turn = math::turn(e, angle);
                if axis.is_ascii_lowercase() { q * turn } else { turn * q }
            }));
        }
        match get("quat") {
            Some(a) => quaternion(a, &a.numbers(4, 4)?),
            None => Ok(DQuat::IDENTITY),
        }
    }
}

/// A quaternion of nonzero length, given as w, x, y, z.
pub fn quaternion(a: &Attribute, n: &[f64]) -> Result<DQuat, ImportError> {
    let q = DQuat::from_xyzw(n[1], n[2], n[3], n[0]);
    let scale = q.to_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if !(scale > 1e-100 && scale < 1e100) {
        return Err(a.unknown("a quaternion of nonzero length"));
    }
    Ok(math::unit(q * (1.0 / scale)))
}

/// The smallest rotation that takes z there.
pub fn z_to(z: DVec3) -> DQuat {
    let axis = DVec3::Z.cross(z);
    let sin = axis.length();
    if sin < 1e-10 {
        return if z.z > 0.0 { DQuat::IDENTITY } else { DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0) };
    }
    math::turn(axis / sin, libm::atan2(sin, z.z))
}

/// Step [s] and gravity [m/s²].
pub fn option(root: &Element) -> Result<(Option<f64>, Option<DVec3>), ImportError> {
    // MuJoCo's default step
    let (mut dt, mut gravity) = (0.002, DVec3::new(0.0, 0.0, -9.81));
    for option in root.all("option") {
        if let Some(a) = option.get("timestep") {
            dt = a.number()?;
            if !(1e-7..=0.2).contains(&dt) {
                return Err(a.unknown("a step of 1e-7 s to 0.2 s"));
            }
        }
        if let Some(a) = option.get("gravity") {
            gravity = a.vector()?;
        }
        if let Some(flag) = option.child("flag")
            && flag.get("gravity").is_some_and(|a| a.value == "disable")
        {
            gravity = DVec3::ZERO;
        }
    }
    Ok((Some(dt), Some(gravity)))
}

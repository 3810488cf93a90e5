//! The coefficients of the Magic Formula, under the keys of tyre property files.
//!
//! Coefficients that a file does not contain are 0, scale factors are 1. The other defaults reduce the formulas of
//! version 6 to those of 5.2: PKY4 = 2, Q_RE0 = 1, QSY7 = 1; LMUV is 0. Aliases are the names PAC2002 gives to the
//! same coefficients.

use crate::tire::units::Dimension;

macro_rules! coefficients {
    ($($(#[$section:meta])* { $($key:ident = $default:expr, $dimension:ident;)* })*) => {
        /// All coefficients in SI units.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(non_snake_case)]
        pub struct Coefficients {
            $($(#[doc = concat!("Key `", stringify!($key), "`.")] pub $key: f64,)*)*
        }

        impl Default for Coefficients {
            fn default() -> Coefficients {
                Coefficients { $($($key: $default,)*)* }
            }
        }

        impl Coefficients {
            /// The coefficient of a key with its dimension, if the key is known.
            pub(in crate::tire) fn slot(&mut self, key: &str) -> Option<(&mut f64, Dimension)> {
                match key {
                    $($(stringify!($key) => Some((&mut self.$key, Dimension::$dimension)),)*)*
                    _ => None,
                }
            }
        }
    };
}

coefficients! {
    /// dimensions, operating conditions and vertical behaviour
    {
        LONGVL = 0.0, Speed;                 VXLOW = 1.0, Speed;
        UNLOADED_RADIUS = 0.0, Length;       WIDTH = 0.0, Length;        ASPECT_RATIO = 0.0, One;
        RIM_RADIUS = 0.0, Length;            RIM_WIDTH = 0.0, Length;
        INFLPRES = 0.0, Pressure;            NOMPRES = 0.0, Pressure;
        FNOMIN = 0.0, Force;                 VERTICAL_STIFFNESS = 0.0, Stiffness;
        VERTICAL_DAMPING = 0.0, Damping;     BREFF = 0.0, One;           DREFF = 0.0, One;
        FREFF = 0.0, One;                    Q_RE0 = 1.0, One;           Q_V1 = 0.0, One;
        Q_V2 = 0.0, One;                     QFZ1 = 0.0, One;            Q_FZ2 = 0.0, One;
        Q_FCX = 0.0, One;                    Q_FCY = 0.0, One;           PFZ1 = 0.0, One;
        Q_FCY2 = 0.0, One;                   Q_CAM1 = 0.0, One;          Q_CAM2 = 0.0, One;
        Q_CAM3 = 0.0, One;                   Q_FYS1 = 0.0, One;          Q_FYS2 = 0.0, One;
        Q_FYS3 = 0.0, One;
        LONGITUDINAL_STIFFNESS = 0.0, Stiffness;     LATERAL_STIFFNESS = 0.0, Stiffness;
        PCFX1 = 0.0, One;    PCFX2 = 0.0, One;   PCFX3 = 0.0, One;
        PCFY1 = 0.0, One;    PCFY2 = 0.0, One;   PCFY3 = 0.0, One;
    }
    /// ranges; 0 for a range that the file does not contain
    {
        KPUMIN = 0.0, One;       KPUMAX = 0.0, One;      ALPMIN = 0.0, Angle;    ALPMAX = 0.0, Angle;
        CAMMIN = 0.0, Angle;     CAMMAX = 0.0, Angle;    FZMIN = 0.0, Force;     FZMAX = 0.0, Force;
        PRESMIN = 0.0, Pressure; PRESMAX = 0.0, Pressure;
    }
    /// scale factors
    {
        LFZO = 1.0, One;   LCX = 1.0, One;    LMUX = 1.0, One;   LEX = 1.0, One;    LKX = 1.0, One;
        LHX = 1.0, One;    LVX = 1.0, One;    LGAX = 1.0, One;   LCY = 1.0, One;    LMUY = 1.0, One;
        LEY = 1.0, One;    LKY = 1.0, One;    LHY = 1.0, One;    LVY = 1.0, One;    LGAY = 1.0, One;
        LKYC = 1.0, One;   LKZC = 1.0, One;   LTR = 1.0, One;    LRES = 1.0, One;   LGAZ = 1.0, One;
        LXAL = 1.0, One;   LYKA = 1.0, One;   LVYKA = 1.0, One;  LS = 1.0, One;     LSGKP = 1.0, One;
        LSGAL = 1.0, One;  LMX = 1.0, One;    LVMX = 1.0, One;   LMY = 1.0, One;    LMUV = 0.0, One;
        LCZ = 1.0, One;    LIP = 1.0, One;
    }
    /// longitudinal force
    {
        PCX1 = 0.0, One;   PDX1 = 0.0, One;   PDX2 = 0.0, One;   PDX3 = 0.0, One;   PEX1 = 0.0, One;
        PEX2 = 0.0, One;   PEX3 = 0.0, One;   PEX4 = 0.0, One;   PKX1 = 0.0, One;   PKX2 = 0.0, One;
        PKX3 = 0.0, One;   PHX1 = 0.0, One;   PHX2 = 0.0, One;   PVX1 = 0.0, One;   PVX2 = 0.0, One;
        PPX1 = 0.0, One;   PPX2 = 0.0, One;   PPX3 = 0.0, One;   PPX4 = 0.0, One;   RBX1 = 0.0, One;
        RBX2 = 0.0, One;   RBX3 = 0.0, One;   RCX1 = 0.0, One;   REX1 = 0.0, One;   REX2 = 0.0, One;
        RHX1 = 0.0, One;   PTX1 = 0.0, One;   PTX2 = 0.0, One;   PTX3 = 0.0, One;
    }
    /// overturning and rolling resistance moments
    {
        QSX1 = 0.0, One;   QSX2 = 0.0, One;   QSX3 = 0.0, One;   QSX4 = 0.0, One;   QSX5 = 0.0, One;
        QSX6 = 0.0, One;   QSX7 = 0.0, One;   QSX8 = 0.0, One;   QSX9 = 0.0, One;   QSX10 = 0.0, One;
        QSX11 = 0.0, One;  QSX12 = 0.0, One;  QSX13 = 0.0, One;  QSX14 = 0.0, One;  PPMX1 = 0.0, One;
        QSY1 = 0.0, One;   QSY2 = 0.0, One;   QSY3 = 0.0, One;   QSY4 = 0.0, One;   QSY5 = 0.0, One;
        QSY6 = 0.0, One;   QSY7 = 1.0, One;   QSY8 = 0.0, One;
    }
    /// lateral force
    {
        PCY1 = 0.0, One;   PDY1 = 0.0, One;   PDY2 = 0.0, One;   PDY3 = 0.0, One;   PEY1 = 0.0, One;
        PEY2 = 0.0, One;   PEY3 = 0.0, One;   PEY4 = 0.0, One;   PEY5 = 0.0, One;   PKY1 = 0.0, One;
        PKY2 = 0.0, One;   PKY3 = 0.0, One;   PKY4 = 2.0, One;   PKY5 = 0.0, One;   PKY6 = 0.0, One;
        PKY7 = 0.0, One;   PHY1 = 0.0, One;   PHY2 = 0.0, One;   PHY3 = 0.0, One;   PVY1 = 0.0, One;
        PVY2 = 0.0, One;   PVY3 = 0.0, One;   PVY4 = 0.0, One;   PPY1 = 0.0, One;   PPY2 = 0.0, One;
        PPY3 = 0.0, One;   PPY4 = 0.0, One;   PPY5 = 0.0, One;   RBY1 = 0.0, One;   RBY2 = 0.0, One;
        RBY3 = 0.0, One;   RBY4 = 0.0, One;   RCY1 = 0.0, One;   REY1 = 0.0, One;   REY2 = 0.0, One;
        RHY1 = 0.0, One;   RHY2 = 0.0, One;   RVY1 = 0.0, One;   RVY2 = 0.0, One;   RVY3 = 0.0, One;
        RVY4 = 0.0, One;   RVY5 = 0.0, One;   RVY6 = 0.0, One;   PTY1 = 0.0, One;   PTY2 = 0.0, One;
    }
    /// aligning moment
    {
        QBZ1 = 0.0, One;   QBZ2 = 0.0, One;   QBZ3 = 0.0, One;   QBZ4 = 0.0, One;   QBZ5 = 0.0, One;
        QBZ9 = 0.0, One;   QBZ10 = 0.0, One;  QCZ1 = 0.0, One;   QDZ1 = 0.0, One;   QDZ2 = 0.0, One;
        QDZ3 = 0.0, One;   QDZ4 = 0.0, One;   QDZ6 = 0.0, One;   QDZ7 = 0.0, One;   QDZ8 = 0.0, One;
        QDZ9 = 0.0, One;   QDZ10 = 0.0, One;  QDZ11 = 0.0, One;  QEZ1 = 0.0, One;   QEZ2 = 0.0, One;
        QEZ3 = 0.0, One;   QEZ4 = 0.0, One;   QEZ5 = 0.0, One;   QHZ1 = 0.0, One;   QHZ2 = 0.0, One;
        QHZ3 = 0.0, One;   QHZ4 = 0.0, One;   PPZ1 = 0.0, One;   PPZ2 = 0.0, One;   SSZ1 = 0.0, One;
        SSZ2 = 0.0, One;   SSZ3 = 0.0, One;   SSZ4 = 0.0, One;
    }
}

/// Names of PAC2002 for coefficients of this list.
const ALIASES: [(&str, &str); 11] = [
    ("IP", "INFLPRES"),
    ("IP_NOM", "NOMPRES"),
    ("LKYG", "LKYC"),
    ("LKG", "LKYC"),
    ("LKZG", "LKZC"),
    ("QPZ1", "PPZ1"),
    ("QPZ2", "PPZ2"),
    ("QPX1", "PPMX1"),
    ("QFZ2", "Q_FZ2"),
    ("QV1", "Q_V1"),
    ("QV2", "Q_V2"),
];

/// The key under which a coefficient is stored here.
pub(in crate::tire) fn canonical(key: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == key).map_or(key, |(_, name)| name)
}

impl Coefficients {
    /// Sets the terms to 0 that make the tyre pull to one side: conicity, ply steer and their like.
    ///
    /// These are the terms that change sign when the tyre is mirrored, with S_Hx and S_Vx, which make a free-rolling
    /// wheel drive or brake.
    pub(super) fn remove_asymmetry(&mut self) {
        for value in [
            &mut self.RHX1,
            &mut self.QSX1,
            &mut self.PEY3,
            &mut self.PHY1,
            &mut self.PHY2,
            &mut self.PVY1,
            &mut self.PVY2,
            &mut self.RBY3,
            &mut self.RVY1,
            &mut self.RVY2,
            &mut self.QBZ4,
            &mut self.QDZ3,
            &mut self.QDZ6,
            &mut self.QDZ7,
            &mut self.QEZ4,
            &mut self.QHZ1,
            &mut self.QHZ2,
            &mut self.SSZ1,
            &mut self.PHX1,
            &mut self.PHX2,
            &mut self.PVX1,
            &mut self.PVX2,
        ] {
            *value = 0.0;
        }
    }
}

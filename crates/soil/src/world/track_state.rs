//! State of a crawler track: its elements, and what the last step found.

use crate::wheel::strip::Strip;
use glam::{DVec2, DVec3};
use windlass_engine::prelude::BoundMode;
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

use super::track_model::TrackModel;

/// Rows of an element: normal, along, across.
const ELEMENT_ROWS: usize = 3;
/// Rows of a track as a whole: resistance of the soil, friction of the running gear.
pub(super) const TRACK_ROWS: usize = 2;
/// Numbers of an element.
const ELEMENT_NUMBERS: usize = 14;
/// Numbers that are read.
const READINGS: usize = 6;

/// A hard surface below an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Road {
    /// Its body, by index.
    pub body: u32,
    /// Its surface.
    pub surface: u16,
    /// Towards the track.
    pub normal: DVec3,
    /// Distance of the element from it [m].
    pub gap: f64,
}

/// An element of the belt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Element {
    /// Shear stress over the strength, along and across, by its mean over the element; 1 at most.
    pub grip: DVec2,
    /// Its length on the line [m].
    pub length: f64,
    /// Share of this length that came on the line in the last step.
    pub fresh: f64,
    /// Pressure of the last step [Pa].
    pub pressure: f64,
    /// The hard surface below it.
    pub road: Option<Road>,
    /// Modes of its rows.
    pub modes: [BoundMode; ELEMENT_ROWS],
}

/// What can be read of a track.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrackReading {
    /// Speed of the belt over its frame [m/s].
    pub speed: f64,
    /// Slip: the speed at which the belt slides over the ground, over the larger of both speeds.
    pub slip: f64,
    /// Force of the ground ahead, from shear and friction [N].
    pub thrust: f64,
    /// Force of the ground upwards from the line [N].
    pub load: f64,
    /// Greatest sinkage of an element [m].
    pub sinkage: f64,
    /// Force of the ground against the motion, from its pressure [N].
    pub resistance: f64,
}

/// State of a track.
#[derive(Debug, Default, PartialEq)]
pub struct TrackState {
    /// The elements on the line.
    pub belt: Strip<Element>,
    /// Whether hard surfaces were looked for.
    pub looked: bool,
    /// Modes of the rows of the track as a whole.
    pub modes: [BoundMode; TRACK_ROWS],
    /// What can be read.
    pub reading: TrackReading,
}

// Written out so that copying over a state of the same track does not allocate.
impl Clone for TrackState {
    fn clone(&self) -> TrackState {
        let mut copy = TrackState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &TrackState) {
        self.belt.clone_from(&other.belt);
        (self.looked, self.modes, self.reading) = (other.looked, other.modes, other.reading);
    }
}

impl TrackState {
    /// A belt that has not touched the ground yet.
    pub fn new(track: &TrackModel) -> TrackState {
        let mut belt = Strip::new(track.spacing());
        let length = track.length();
        belt.move_to(0.0, (0.0, length), |_| Element::default(), |_, _| {});
        let mut state = TrackState { belt, ..TrackState::default() };
        state.cover(length);
        state
    }

    /// Whether it belongs to a track.
    pub(super) fn fits(&self, track: &TrackModel) -> bool {
        let sound = |element: &Element| {
            element.grip.is_finite() && element.pressure.is_finite() && element.length >= 0.0
        };
        self.belt.spacing() == track.spacing() && self.belt.iter().all(|(_, element)| sound(element))
    }

    /// Whether all of its numbers are finite.
    pub(super) fn is_finite(&self) -> bool {
        let TrackReading { speed, slip, thrust, load, sinkage, resistance } = self.reading;
        let readings = [speed, slip, thrust, load, sinkage, resistance].iter().all(|x| x.is_finite());
        let of_element = |element: &Element| element.grip.is_finite() && element.pressure.is_finite();
        readings && self.belt.iter().all(|(_, element)| of_element(element))
    }

    /// Whether it is sound among a number of bodies.
    pub(super) fn is_sound(&self, bodies: usize) -> bool {
        let road =
            |road: &Road| (road.body as usize) < bodies && road.normal.is_finite() && road.gap.is_finite();
        let of_element = |element: &Element| element.road.as_ref().is_none_or(road);
        self.is_finite() && self.belt.iter().all(|(_, element)| of_element(element))
    }

    /// Whether it lies on a body.
    pub(super) fn lies_on(&self, body: u32) -> bool {
        self.belt.iter().any(|(_, element)| element.road.is_some_and(|road| road.body == body))
    }

    /// Forgets a body that it lies on.
    pub(super) fn leave(&mut self, body: u32) {
        let elements = self.belt.iter_mut().map(|(_, element)| element);
        let on_it = |element: &&mut Element| element.road.is_some_and(|road| road.body == body);
        elements.filter(on_it).for_each(|element| element.road = None);
    }

    /// Sets the lengths of the elements on a line; what has come on it has no shear stress yet.
    pub(super) fn cover(&mut self, line: f64) {
        let spacing = self.belt.spacing();
        for (offset, element) in self.belt.iter_mut() {
            let length = covered(spacing, offset, line).0;
            element.fresh = 0.0;
            if length > element.length {
                element.grip *= element.length / length;
                element.fresh = 1.0 - element.length / length;
            }
            element.length = length;
        }
    }

    /// Makes the belt run, and lets elements enter and leave the line.
    pub(super) fn run(&mut self, way: f64, line: f64) {
        let position = self.belt.origin() + way;
        self.belt.move_to(position, (0.0, line), |_| Element::default(), |_, _| {});
        self.cover(line);
    }

    pub(super) fn write(&self, out: &mut WordWriter<'_>) {
        self.belt.write(out, numbers);
        out.integers(&[u64::from(self.looked)]);
        self.modes.iter().for_each(|mode| out.integers(&[mode_number(*mode) as u64]));
        let TrackReading { speed, slip, thrust, load, sinkage, resistance } = self.reading;
        out.numbers(&[speed, slip, thrust, load, sinkage, resistance]);
        out.end();
    }

    pub(super) fn read(words: &mut WordReader<'_>) -> Result<TrackState, SnapshotError> {
        let belt = Strip::read(words, element)?;
        let looked = words.integer()? == 1;
        let mut modes = [BoundMode::default(); TRACK_ROWS];
        for mode in &mut modes {
            *mode = mode_of(words.integer()? as f64);
        }
        let mut n = [0.0; READINGS];
        for number in &mut n {
            *number = words.number()?;
        }
        words.zeros(1 + TRACK_ROWS + READINGS)?;
        let [speed, slip, thrust, load, sinkage, resistance] = n;
        let reading = TrackReading { speed, slip, thrust, load, sinkage, resistance };
        Ok(TrackState { belt, looked, modes, reading })
    }
}

/// Length of the part of an element at an offset that lies on a line, and the middle of that part [m].
pub(super) fn covered(spacing: f64, offset: f64, line: f64) -> (f64, f64) {
    let (low, high) = ((offset - 0.5 * spacing).max(0.0), (offset + 0.5 * spacing).min(line));
    ((high - low).max(0.0), 0.5 * (low + high))
}

fn numbers(e: &Element) -> [f64; ELEMENT_NUMBERS] {
    let [a, b, c] = e.modes.map(mode_number);
    let (body, surface, normal, gap) = match e.road {
        Some(road) => (f64::from(road.body), f64::from(road.surface), road.normal, road.gap),
        None => (-1.0, 0.0, DVec3::ZERO, 0.0),
    };
    [
        e.grip.x, e.grip.y, e.length, e.pressure, a, b, c, body, surface, normal.x, normal.y, normal.z, gap,
        e.fresh,
    ]
}

fn element(n: [f64; ELEMENT_NUMBERS]) -> Element {
    let road = (n[7] >= 0.0).then(|| Road {
        body: n[7] as u32,
        surface: n[8] as u16,
        normal: DVec3::new(n[9], n[10], n[11]),
        gap: n[12],
    });
    Element {
        grip: DVec2::new(n[0], n[1]),
        length: n[2],
        fresh: n[13],
        pressure: n[3],
        road,
        modes: [mode_of(n[4]), mode_of(n[5]), mode_of(n[6])],
    }
}

fn mode_number(mode: BoundMode) -> f64 {
    match mode {
        BoundMode::Between => 0.0,
        BoundMode::Low => 1.0,
        BoundMode::High => 2.0,
        BoundMode::Stop => 3.0,
    }
}

fn mode_of(number: f64) -> BoundMode {
    match number as u64 {
        1 => BoundMode::Low,
        2 => BoundMode::High,
        3 => BoundMode::Stop,
        _ => BoundMode::Between,
    }
}

//! Properties of a rope for `info`, and its extremes in a run for the summary.

use schemars::JsonSchema;
use serde::Serialize;
use windlass_engine::prelude::{
    JointId, JointKind, RopeAttachment, RopeChange, RopeWatch, RoutePoint, World,
};
use windlass_host::text::{count, digits};
use windlass_scene::{Built, Reeved};

/// Properties of a rope.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RoutedCableProperties {
    /// Name of the cable.
    pub name: String,
    /// The construction class or the material, if the scene specifies it.
    construction: Option<String>,
    /// Unloaded length off the winches [m].
    length: f64,
    /// Present number of elements of flexible segments; 0 if it has none.
    elements: usize,
    /// Outer diameter [m].
    diameter: f64,
    /// Axial stiffness EA [N].
    axial_stiffness: f64,
    /// Damping over stiffness, c/k [s].
    damping_time: f64,
    /// Breaking load [N].
    breaking_load: Option<f64>,
    /// Smallest permissible bend radius [m].
    min_bend_radius: Option<f64>,
    /// The points of its route.
    points: Vec<RoutePointProperties>,
    /// Initial tension from its stretch, of each run between points that hold it [N].
    initial_tensions: Vec<f64>,
}

/// A point of a rope.
#[derive(Debug, JsonSchema, Serialize)]
struct RoutePointProperties {
    /// Kind of the point.
    kind: &'static str,
    /// Name of its body.
    body: String,
    /// Whether the rope ends here.
    ends: bool,
    /// Radius of the rope around it [m].
    radius: f64,
    /// Wrap angle [rad]; 0 where the rope ends.
    wrap: f64,
    /// Whether it is a pulley between two others with almost no wrap angle.
    small_wrap: bool,
    /// Largest ratio of the tensions on its two sides, T'/T.
    max_tension_ratio: f64,
}

/// Wrap angle below which a warning is given [rad]: 0.1 degrees, which an offset of 1.7 mm across a span of 1 m
/// removes.
const TOUCHED: f64 = 0.1 * std::f64::consts::PI / 180.0;

/// A wrap angle in degrees, with round-off near 0 removed.
fn degrees(wrap: f64) -> String {
    digits((wrap.to_degrees() * 1e6).round() / 1e6 + 0.0)
}

/// The ropes of a scene.
pub fn facts(built: &Built) -> Vec<RoutedCableProperties> {
    built.ropes.iter().filter_map(|reeved| of(reeved, &built.world)).collect()
}

fn of(reeved: &Reeved, world: &World) -> Option<RoutedCableProperties> {
    let first = *reeved.ropes.first()?;
    let joint = world.model().joints().get(first)?;
    let JointKind::Rope(rope) = &joint.kind else { return None };
    let reading = match reeved.cable {
        Some(cable) => world.route(cable)?,
        None => world.rope(first)?,
    };
    let of_each: Vec<_> = reeved.ropes.iter().filter_map(|id| world.rope(*id)).collect();
    let runs = of_each.iter().flat_map(|one| one.lengths.iter().zip(&one.slack));
    let vias = vias(reeved, world);
    let last = vias.len().saturating_sub(1);
    let points = reeved.points.iter().zip(&vias).zip(&reading.wraps).enumerate();
    let points = points.map(|(k, (((what, body), via), wrap))| RoutePointProperties {
        kind: what,
        body: body.clone(),
        ends: k == 0 || k == last,
        radius: via.radius,
        wrap: *wrap,
        small_wrap: k > 0 && k < last && via.radius > 0.0 && *wrap < TOUCHED,
        max_tension_ratio: ratio(via.attachment, *wrap),
    });
    Some(RoutedCableProperties {
        name: reeved.name.clone(),
        construction: reeved.made_of.clone(),
        length: reading.length() + reading.slack.iter().sum::<f64>(),
        elements: reading.elements,
        diameter: reeved.diameter,
        axial_stiffness: rope.stiffness,
        damping_time: rope.damping,
        breaking_load: joint.strength.map(|s| s.force),
        min_bend_radius: reeved.least_bend_radius,
        points: points.collect(),
        initial_tensions: runs
            .map(|(way, slack)| (-slack * rope.stiffness / (way + slack)).max(0.0))
            .collect(),
    })
}

/// The points of a rope: its own, and the clamps that end its flexible segments.
fn vias(reeved: &Reeved, world: &World) -> Vec<RoutePoint> {
    let model = world.model();
    let ends = reeved.cable.and_then(|id| model.cables().get(id)).map(|cable| cable.ends);
    let clamp = |k: usize| ends.and_then(|ends| ends[k].anchor().map(|_| RoutePoint::attached()));
    let own = reeved.ropes.iter().filter_map(|id| match &model.joints().get(*id)?.kind {
        JointKind::Rope(rope) => {
            let sides = rope.feed.map_or([false; 2], |feed| feed.sides).map(usize::from);
            Some(rope.vias[sides[0]..rope.vias.len() - sides[1]].to_vec())
        }
        _ => None,
    });
    clamp(0).into_iter().chain(own.flatten()).chain(clamp(1)).collect()
}

/// Largest T'/T: e^(μφ) on a surface, 1 + κ of the bearing about its mean.
fn ratio(seat: RopeAttachment, wrap: f64) -> f64 {
    let wrap = wrap.max(0.0);
    match seat {
        RopeAttachment::Fixed | RopeAttachment::Smooth => 1.0,
        RopeAttachment::Rough { stick, .. } => libm::exp(stick * wrap),
        RopeAttachment::Bearing { share } => {
            let (s, c) = (libm::sin(0.5 * wrap).abs(), libm::cos(0.5 * wrap));
            let half = share * s / libm::sqrt(1.0 - share * share * c * c);
            (1.0 + half) / (1.0 - half)
        }
    }
}

impl RoutedCableProperties {
    /// Pulleys with almost no wrap angle: the number of the point from 1, and the remedy.
    pub fn warnings(&self) -> Vec<(usize, String)> {
        let touched = self.points.iter().enumerate().filter(|(_, point)| point.small_wrap);
        let warning = |(k, point): (usize, &RoutePointProperties)| {
            let wrap = degrees(point.wrap);
            let message = format!(
                "wrap angle {wrap}° at point {}, the pulley \"{}\": give the other `wrap_direction`, or move its `at` across the rope",
                k + 1,
                point.body
            );
            (k + 1, message)
        };
        touched.map(warning).collect()
    }

    /// As lines of a table.
    pub fn lines(&self) -> Vec<String> {
        let made = self.construction.as_ref().map_or(String::new(), |name| format!(" of {name}"));
        let flexible = match self.elements {
            0 => "massless".to_string(),
            n => format!("{n} elements of flexible segments"),
        };
        let size =
            format!("{} m of {} mm{made}, {flexible}", digits(self.length), digits(self.diameter * 1e3));
        let (ea, damping) = (digits(self.axial_stiffness), digits(self.damping_time));
        let mut lines = vec![
            format!("{}: {size}", self.name),
            format!("  axial stiffness EA {ea} N, damping time {damping} s"),
        ];
        lines.extend(
            self.points.iter().enumerate().map(|(k, point)| format!("  point {} {}", k + 1, point.text())),
        );
        lines.extend(self.warnings().into_iter().map(|(_, warning)| format!("  wrap    {warning}")));
        let pulls: Vec<_> = self.initial_tensions.iter().map(|t| format!("{} N", digits(*t))).collect();
        lines.push(format!("  tension {} at the start", pulls.join(", ")));
        let limits = [
            self.breaking_load.map(|f| format!("breaks at {} N", digits(f))),
            self.min_bend_radius.map(|r| format!("minimum bend radius {} m", digits(r))),
        ];
        let limits: Vec<_> = limits.into_iter().flatten().collect();
        if !limits.is_empty() {
            lines.push(format!("  limits  {}", limits.join(", ")));
        }
        lines
    }
}

impl RoutePointProperties {
    fn text(&self) -> String {
        let size = if self.radius > 0.0 { format!(" of {} m", digits(self.radius)) } else { String::new() };
        let wrap = match self.kind {
            "pulley" | "ring" if !self.ends => format!(", wrap {}°", degrees(self.wrap)),
            _ => String::new(),
        };
        let ratio = if self.max_tension_ratio > 1.0 {
            format!(", tension ratio up to {}", digits(self.max_tension_ratio))
        } else {
            String::new()
        };
        format!("{} {}{size}{wrap}{ratio}", self.kind, self.body)
    }
}

/// Extremes and events of a rope in a run.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct RoutedCableResult {
    /// Name of the cable.
    pub cable: String,
    /// Largest tension of a span [N].
    pub max_tension: f64,
    /// Number of that span, from 1.
    pub span: usize,
    /// Time of the largest tension [s].
    pub time: f64,
    /// Breaking load [N]; none if it does not break.
    pub breaking_load: Option<f64>,
    /// Number of times it went slack.
    pub slack_count: usize,
    /// Time at which it first went slack [s].
    pub first_slack: Option<f64>,
    /// The pulleys that it left.
    pub derailments: Vec<Derailment>,
    /// Time at which it broke [s].
    pub broken_at: Option<f64>,
}

/// A pulley that a cable left.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Derailment {
    /// Number of the route point, from 1.
    pub point: usize,
    /// Time at which the rope first left it [s].
    pub time: f64,
}

/// Tracks ropes during a run.
#[derive(Debug, Default)]
pub struct RoutedCableResults {
    list: Vec<(JointId, RoutedCableResult)>,
    watch: RopeWatch,
}

impl RoutedCableResults {
    /// A tracker for the ropes of a world.
    pub fn start(&mut self, world: &World) {
        self.watch.look(world.configuration());
        let joint = |id: JointId| world.model().joints().get(id).map(|joint| (id, joint));
        let fate = |(id, joint): (JointId, &windlass_engine::prelude::Joint)| {
            let breaking_load = joint.strength.map(|s| s.force).filter(|f| f.is_finite());
            (
                id,
                RoutedCableResult {
                    cable: joint.name.clone(),
                    breaking_load,
                    ..RoutedCableResult::default()
                },
            )
        };
        self.list = world.ropes().filter_map(joint).map(fate).collect();
    }

    /// Takes a step into account.
    pub fn note(&mut self, world: &World) {
        if self.list.is_empty() {
            return;
        }
        let time = world.state().time;
        for (id, fate) in &mut self.list {
            let pulls = world.rope(*id).map_or_else(Vec::new, |reading| reading.tensions);
            for (k, pull) in pulls.into_iter().enumerate() {
                if pull > fate.max_tension {
                    (fate.max_tension, fate.span, fate.time) = (pull, k + 1, time);
                }
            }
        }
        for event in self.watch.look(world.configuration()) {
            let Some((_, fate)) = self.list.iter_mut().find(|(id, _)| *id == event.rope) else { continue };
            match event.change {
                RopeChange::Slack(_) => {
                    fate.slack_count += 1;
                    fate.first_slack = fate.first_slack.or(Some(time));
                }
                RopeChange::Left(point) if fate.derailments.iter().all(|d| d.point != point + 1) => {
                    fate.derailments.push(Derailment { point: point + 1, time });
                }
                RopeChange::Broke => fate.broken_at = Some(time),
                RopeChange::Taut(_) | RopeChange::Met(_) | RopeChange::Left(_) => {}
            }
        }
    }

    /// The extremes of each.
    pub fn list(&self) -> Vec<RoutedCableResult> {
        self.list.iter().map(|(_, fate)| fate.clone()).collect()
    }
}

impl RoutedCableResult {
    /// As a line of the summary.
    pub fn text(&self) -> String {
        let place = format!("span {}, t = {} s", self.span, digits(self.time));
        let share = self.breaking_load.map_or(String::new(), |load| {
            format!(", {} % of its breaking load {} N", digits(100.0 * self.max_tension / load), digits(load))
        });
        let slack = self.first_slack.map_or(String::new(), |first| {
            format!("; slack {}, first at {} s", count(self.slack_count, "time"), digits(first))
        });
        let left = self.derailments.iter().map(|Derailment { point, time }| {
            format!("; left the pulley at point {point}, t = {} s", digits(*time))
        });
        let broke = self.broken_at.map_or(String::new(), |time| format!("; broke at {} s", digits(time)));
        let left: String = left.collect();
        format!("{}: max {} N, {place}{share}{slack}{left}{broke}", self.cable, digits(self.max_tension))
    }
}

//! Joints: one match over the kinds of the file. Gears and other couplings (couple.rs) come last, since they relate
//! coordinates of other joints.

use super::axis::{give, motion};
use super::couple::{Others, is_coupling};
use super::place::{Needs, Placement, Pose};
use super::{Builder, Placed};
use crate::number::{Linear, Number, Numbers};
use crate::suggestion;
use crate::text::Entry;
use crate::text::joint as text;
use crate::text::motion::Motion as MotionText;
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use windlass_engine::math;
use windlass_engine::prelude::{
    Anchor, Axis, Ball, Compliance, ConstantVelocity, Cylinder, Distance, Drive, Hinge, Joint, JointKind,
    Limits, Planar, PointOnLine, PointOnPlane, Rope, RoutePoint, Screw, SixDof, Slider, Spring, Strength,
    Tether, Universal, Weld,
};

/// Shorthand: the placement keys of a joint with `at` and `axis`.
macro_rules! placed {
    ($joint:expr) => {
        Placement {
            bodies: &$joint.bodies,
            at: &$joint.at,
            axis: &$joint.axis,
            x_axis: &None,
            frames: &$joint.frames,
        }
    };
}

impl Builder {
    /// The joints of all entries, in their order; none for an invalid one, which is reported.
    pub fn joints(&mut self, entries: &[Entry<text::Joint>]) -> Vec<Option<Joint>> {
        let mut kinds: Vec<_> = entries.iter().map(|e| self.kind(e)).collect();
        let places: BTreeMap<_, _> = entries.iter().enumerate().map(|(i, e)| (e.name.as_str(), i)).collect();
        for (index, entry) in entries.iter().enumerate() {
            if is_coupling(&entry.value) {
                kinds[index] = self.coupling(entry, &Others { entries, places: &places, kinds: &kinds });
            }
        }
        let mut joints = Vec::new();
        for (entry, kind) in entries.iter().zip(kinds) {
            self.enter(entry);
            let compliance = self.compliance(&entry.value.compliance);
            let strength = self.strength(&entry.value.strength);
            let kind = kind.filter(|kind| self.is_assembled(entry, kind));
            joints.push(match (kind, compliance, strength) {
                (Some(kind), Some(compliance), Some(strength)) => {
                    let mut joint = Joint { name: entry.name.clone(), kind, compliance, strength };
                    self.preload(entry, &mut joint);
                    Some(joint)
                }
                _ => None,
            });
        }
        joints
    }

    /// The joint of an entry; none for couplings and for invalid ones.
    fn kind(&mut self, entry: &Entry<text::Joint>) -> Option<JointKind> {
        let (joint, span) = (&entry.value, entry.span.clone());
        self.enter(entry);
        if !self.has_one_kind(entry) {
            return None;
        }
        if let Some(j) = &joint.ball {
            let place =
                Placement { bodies: &j.bodies, at: &j.at, axis: &None, x_axis: &None, frames: &j.frames };
            return Some(Ball { anchors: self.anchors(span, &place, Needs::Point)? }.into());
        }
        if let Some(j) = &joint.weld {
            let place =
                Placement { bodies: &j.bodies, at: &j.at, axis: &None, x_axis: &None, frames: &j.frames };
            return Some(Weld { anchors: self.anchors(span, &place, Needs::Nothing)? }.into());
        }
        if let Some(j) = &joint.hinge {
            let anchors = self.anchors(span.clone(), &placed!(j), Needs::PointAndAxis);
            let axis = self.axis(span, &j.axis_options(), 0.0);
            return Some(Hinge { anchors: anchors?, axis: axis? }.into());
        }
        if let Some(j) = &joint.slider {
            let anchors = self.anchors(span.clone(), &placed!(j), Needs::Axis);
            let axis = self.axis(span, &j.axis_options(), 0.0);
            return Some(Slider { anchors: anchors?, axis: axis? }.into());
        }
        if let Some(j) = &joint.screw {
            let anchors = self.anchors(span.clone(), &placed!(j), Needs::PointAndAxis);
            let axis = self.axis(span, &j.axis_options(), 0.0);
            let lead = self.problems.number("lead", &j.lead)?;
            if lead == 0.0 {
                let help = "give the displacement per revolution; for rotation alone use a `hinge`";
                self.problems.advise(j.lead.span(), "`lead` is 0", help);
                return None;
            }
            return Some(Screw { anchors: anchors?, lead, phase: None, axis: axis? }.into());
        }
        if let Some(j) = &joint.point_on_line {
            let anchors = self.anchors(span.clone(), &placed!(j), Needs::PointAndAxis);
            let axis = self.axis(span, &j.axis_options(), 0.0);
            return Some(PointOnLine { anchors: anchors?, axis: axis? }.into());
        }
        if let Some(j) = &joint.point_on_plane {
            let anchors = self.anchors(span, &placed!(j), Needs::PointAndAxis);
            return Some(PointOnPlane { anchors: anchors? }.into());
        }
        if let Some(j) = &joint.cylindrical {
            let anchors = self.anchors(span.clone(), &placed!(j), Needs::PointAndAxis);
            let turn = self.axis_or_free(span.clone(), &j.rotation);
            let slide = self.axis_or_free(span, &j.slide);
            return Some(Cylinder { anchors: anchors?, axes: [turn?, slide?] }.into());
        }
        self.kind_with_axes(entry)
    }

    /// The kinds that need more than a point and an axis.
    fn kind_with_axes(&mut self, entry: &Entry<text::Joint>) -> Option<JointKind> {
        let (joint, span) = (&entry.value, entry.span.clone());
        if let Some(j) = &joint.universal {
            let anchors = self.crossed(span.clone(), j);
            let axes = [self.axis_or_free(span.clone(), &j.first), self.axis_or_free(span, &j.second)];
            let [first, second] = axes;
            return Some(Universal { anchors: anchors?, axes: [first?, second?] }.into());
        }
        if let Some(j) = &joint.constant_velocity {
            return Some(ConstantVelocity { anchors: self.shafts(span, j)? }.into());
        }
        if let Some(j) = &joint.planar {
            let place = Placement { x_axis: &j.x_axis, ..placed!(j) };
            let anchors = self.anchors(span.clone(), &place, Needs::PointAndAxis);
            let (x, y) = (self.axis_or_free(span.clone(), &j.x), self.axis_or_free(span.clone(), &j.y));
            let turn = self.axis_or_free(span, &j.rotation);
            return Some(Planar { anchors: anchors?, axes: [x?, y?, turn?] }.into());
        }
        if let Some(j) = &joint.six_dof {
            let place = Placement { x_axis: &j.x_axis, ..placed!(j) };
            let anchors = self.anchors(span.clone(), &place, Needs::Point);
            let ways = [&j.x, &j.y, &j.z].map(|a| self.axis_or_free(span.clone(), a));
            let turns = [&j.rx, &j.ry, &j.rz].map(|a| self.axis_or_free(span.clone(), a));
            let ([x, y, z], [rx, ry, rz]) = (ways, turns);
            return Some(SixDof { anchors: anchors?, axes: [x?, y?, z?, rx?, ry?, rz?] }.into());
        }
        if let Some(j) = &joint.car_wheel {
            return self.car_wheel(span, j);
        }
        if let Some(j) = &joint.drag_spring {
            return self.grab(entry, j);
        }
        joint.distance.as_ref().and_then(|j| self.distance(entry, j))
    }

    fn has_one_kind(&mut self, entry: &Entry<text::Joint>) -> bool {
        let given = kinds(&entry.value);
        let names = |list: &[(&'static str, bool)]| {
            list.iter().map(|k| format!("`{}`", k.0)).collect::<Vec<_>>().join(", ")
        };
        let present: Vec<_> = given.iter().copied().filter(|k| k.1).collect();
        match present.len() {
            1 => return true,
            0 => {
                let help = format!("give one of {}", names(&given));
                self.problems.advise(
                    entry.span.clone(),
                    format!("joint \"{}\" has no type", entry.name),
                    help,
                );
            }
            _ => {
                let message = format!("joint \"{}\" has several types: {}", entry.name, names(&present));
                self.problems.advise(
                    entry.span.clone(),
                    message,
                    "keep one, and define the others as joints of their own",
                );
            }
        }
        false
    }

    /// The anchors of a universal joint: its axes are x of the base and y of the moved part.
    fn crossed(&mut self, span: Range<usize>, j: &text::Universal) -> Option<[Anchor; 2]> {
        let bodies = self.pair(&j.bodies);
        if let Some(frames) = &j.frames {
            return self.framed(bodies, frames, j.at.as_ref().map(Numbers::span));
        }
        let (at, [x, y], axes) = self.point_and_axes(span, &j.at, &j.axes)?;
        if x.dot(y).abs() > 1e-6 {
            let angle = math::log(DQuat::from_rotation_arc(x, y)).length().to_degrees();
            let help = "the axes of a universal joint must be perpendicular";
            self.problems.advise(axes, format!("the angle between the two axes is {angle:.3}°"), help);
            return None;
        }
        // made perpendicular to round-off
        let y = (y - x * x.dot(y)).normalize();
        let pose =
            Pose { at, orientation: math::unit(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))) };
        Some(bodies?.map(|b| pose.on(&b)))
    }

    /// The anchors of a constant-velocity joint: shafts along z, without relative twist at the start.
    fn shafts(&mut self, span: Range<usize>, j: &text::ConstantVelocity) -> Option<[Anchor; 2]> {
        let bodies = self.pair(&j.bodies);
        if let Some(frames) = &j.frames {
            return self.framed(bodies, frames, j.at.as_ref().map(Numbers::span));
        }
        let (at, [a, b], axes) = self.point_and_axes(span, &j.at, &j.axes)?;
        if a.dot(b) < -0.9 {
            let help = "point both axes along the flow of power, at an angle of less than 150°";
            self.problems.advise(axes, "the two shafts point in opposite directions", help);
            return None;
        }
        let first = Pose::along(at, a, None);
        let second = Pose { at, orientation: math::unit(DQuat::from_rotation_arc(a, b) * first.orientation) };
        let [base, moved]: [Placed; 2] = bodies?;
        Some([first.on(&base), second.on(&moved)])
    }

    fn point_and_axes(
        &mut self,
        span: Range<usize>,
        at: &Option<Numbers<crate::number::Length>>,
        axes: &Option<Spanned<[Numbers<crate::number::Plain>; 2]>>,
    ) -> Option<(DVec3, [DVec3; 2], Range<usize>)> {
        let (Some(at), Some(axes)) = (at, axes) else {
            let help = "give `at = [x, y, z]` and `axes = [[…], […]]` in the world, or `frames`";
            self.problems.advise(span, "the joint has no position", help);
            return None;
        };
        let p = &mut self.problems;
        let at = p.vector("at", at);
        let [a, b] = axes.get_ref().each_ref().map(|n| p.direction("axes", n));
        let group = &self.group;
        Some((group.point(at?), [group.vector(a?), group.vector(b?)], axes.span()))
    }

    /// A drag spring. It has springs of its own, so a compliance beside them is rejected.
    fn grab(&mut self, entry: &Entry<text::Joint>, j: &text::DragSpring) -> Option<JointKind> {
        let span = entry.span.clone();
        let place = Placement { bodies: &j.bodies, at: &j.at, axis: &None, x_axis: &None, frames: &j.frames };
        let anchors = self.anchors(span.clone(), &place, Needs::Nothing);
        let p = &mut self.problems;
        if entry.value.compliance.is_some() {
            let help = "leave it out, and set `stiffness` and `damping` of the drag_spring";
            p.advise(span, "a drag_spring has no `compliance`: it is a spring itself", help);
        }
        if let (Some(to), Some(_)) = (&j.to, &j.frames) {
            let help = "the first of the `frames` is the target: leave this out";
            p.advise(to.span(), "the target is given twice", help);
        }
        let holds = j.orientation.unwrap_or(false);
        let idle = [
            ("rotational_stiffness", j.rotational_stiffness.as_ref().map(Number::span)),
            ("rotational_damping", j.rotational_damping.as_ref().map(Number::span)),
            ("torque", j.torque.as_ref().map(Number::span)),
        ];
        for (key, span) in idle {
            if let (Some(span), false) = (span, holds) {
                p.advise(span, format!("`{key}` without `orientation`"), "set `orientation = true` too");
            }
        }
        let pull = [p.number_given("stiffness", &j.stiffness), p.number_given("damping", &j.damping)];
        let hold = [
            p.number_given("rotational_stiffness", &j.rotational_stiffness),
            p.number_given("rotational_damping", &j.rotational_damping),
        ];
        let (force, torque) = (p.number_given("force", &j.force), p.number_given("torque", &j.torque));
        let target = j.to.as_ref().map(|to| p.vector("to", to));
        let mut anchors = anchors?;
        if let Some(to) = target {
            let (to, body) = (self.group.point(to?), self.body_of(&anchors[0]));
            anchors[0].at = Pose { at: to, orientation: DQuat::IDENTITY }.on(body).at;
        }
        let [spring, angular] = [pull, hold].map(|[k, c]| match (k?, c?) {
            (None, None) => Some(None),
            (k, c) => Some(Some(Spring::new(k.unwrap_or(0.0), c.unwrap_or(0.0)))),
        });
        let (spring, angular) = (spring?, angular?);
        Some(Tether { anchors, spring, force: force?, orientation: holds, angular, torque: torque? }.into())
    }

    fn compliance(&mut self, text: &Option<Box<text::Compliance>>) -> Option<Compliance> {
        let Some(text) = text else { return Some(Compliance::default()) };
        let p = &mut self.problems;
        let linear = text.linear.as_ref().map(|g| give(g, p));
        let angular = text.angular.as_ref().map(|g| give(g, p));
        let given = |o: Option<Option<_>>| o.map_or(Some(None), |inner| inner.map(Some));
        Some(Compliance { linear: given(linear)?, angular: given(angular)? })
    }

    fn strength(&mut self, text: &Option<Box<text::Strength>>) -> Option<Option<Strength>> {
        let Some(text) = text else { return Some(None) };
        let force = self.problems.number_or("force", &text.force, f64::INFINITY);
        let torque = self.problems.number_or("torque", &text.torque, f64::INFINITY);
        Some(Some(Strength { force: force?, torque: torque? }))
    }

    /// A rod, a rope, a spring or a telescope. A linear compliance makes rods and ropes elastic.
    fn distance(&mut self, entry: &Entry<text::Joint>, j: &text::Distance) -> Option<JointKind> {
        let span = entry.span.clone();
        let bodies = self.pair(&j.bodies);
        let anchors = match (&j.frames, &j.points) {
            (Some(frames), points) => self.framed(bodies, frames, points.as_ref().map(|p| p[0].span()))?,
            (None, Some(points)) => {
                let bodies = bodies?;
                let a = self.point(bodies[0], "points", &points[0]);
                let b = self.point(bodies[1], "points", &points[1]);
                [a?, b?]
            }
            (None, None) => {
                let help = "give `points = [[…], […]]`, one on each body, in the world";
                self.problems.advise(span, "the joint has no `points`", help);
                return None;
            }
        };
        let standing = self.between(&anchors).length();
        let linear = entry.value.compliance.as_ref().and_then(|s| s.linear.as_ref());
        let elastic = linear.and_then(|g| give(g, &mut self.problems));

        let p = &mut self.problems;
        let options = j.axis_options();
        let driven = options.lock.is_some()
            || options.motor.is_some()
            || options.servo.is_some()
            || options.prescribed.is_some();
        let ranged = j.min.is_some() || j.max.is_some();
        let clash = |p: &mut crate::error::Problems, what: &str| {
            p.advise(span.clone(), format!("{what} are given together"), "keep one of them");
        };
        if let Some(rope) = &j.max_length {
            if driven || ranged || j.length.is_some() || options.limits.is_some() || options.spring.is_some()
            {
                clash(p, "`max_length` and another key for the distance");
                return None;
            }
            return self.rope(j, rope, anchors, elastic);
        }
        let length = p.number_or("length", &j.length, standing);
        let low = p.number_or("min", &j.min, f64::NEG_INFINITY);
        let high = p.number_or("max", &j.max, f64::INFINITY);
        if j.length.is_some() && (driven || ranged) {
            clash(p, "`length` and another key for the distance");
            return None;
        }
        if let Some(given) = &j.length
            && let Some((message, help)) = idle_beside_length(&options, elastic.is_some())
        {
            p.advise(given.span(), message, help);
            return None;
        }
        if ranged && options.limits.is_some() {
            clash(p, "`limits` and `min` or `max`");
            return None;
        }
        let mut axis: Axis = self.axis(span.clone(), &options, standing)?;
        let (length, low, high) = (length?, low?, high?);
        if ranged {
            if !(low < high) {
                let message = format!("`min` {low} is not below `max` {high}");
                self.problems.advise(span, message, "give min < max");
                return None;
            }
            axis.limits = Some(Limits { low, high, spring: elastic, restitution: 0.0 });
        }
        let idle = !driven && axis.limits.is_none() && axis.spring.is_none() && axis.curve.is_none();
        if j.length.is_some() || idle {
            match elastic {
                Some(spring) => axis.spring = Some((spring, length)),
                None => axis.drive = Drive::Lock(length),
            }
        }
        if axis.drive == Drive::Lock(0.0) {
            let given = j.length.as_ref().map(Number::span).or(options.lock.as_ref().map(Number::span));
            let help = "give a length above 0; to make two points coincide use a `ball`";
            let place = given.unwrap_or(span);
            self.problems.advise(place, "a rod of length 0 has no direction", help);
            return None;
        }
        Some(Distance { anchors, axis }.into())
    }

    /// A rope whose maximum length is a function of time.
    fn rope(
        &mut self,
        j: &text::Distance,
        rope: &Spanned<MotionText<Linear>>,
        anchors: [Anchor; 2],
        spring: Option<Spring>,
    ) -> Option<JointKind> {
        let friction = j.friction.as_ref().map(|n| ("friction", n.span()));
        let viscosity = j.damping.as_ref().map(|n| ("damping", n.span()));
        for (key, span) in [friction, viscosity].into_iter().flatten() {
            let help =
                "leave it out; a rope is damped by compliance = { linear = { stiffness = …, damping = … } }";
            self.problems.advise(span, format!("`{key}` does not apply to `max_length`"), help);
        }
        let length = motion(rope.get_ref(), rope.span(), &mut self.problems)?;
        let (start, standing) = (length.at(0.0).value, self.between(&anchors).length());
        if standing - start > self.room_of_length(&anchors) {
            let (start, standing) = (suggestion::digits(start), suggestion::digits(standing));
            let message =
                format!("the rope is {start} m long at the start, but its ends are {standing} m apart");
            let help = "give at least that length at time 0, or check the `points`";
            self.problems.advise(rope.span(), message, help);
            return None;
        }
        let mut line = Rope::new(&anchors.map(|anchor| (anchor, RoutePoint::attached()))).long(start);
        // the compliance applies to the rope at its initial length: EA = k L
        if let Some(Spring { stiffness, damping, .. }) = spring {
            if !(stiffness > 0.0) {
                self.problems.advise(
                    rope.span(),
                    "a rope with damping but no stiffness",
                    "give its compliance a stiffness too",
                );
                return None;
            }
            line = line.elastic(stiffness * start, damping / stiffness);
        }
        line.paid = length;
        Some(line.into())
    }
}

/// Keys that have no effect beside the length of a rod, and the remedy. An elastic rod may have limits.
fn idle_beside_length(options: &text::Axis<Linear>, gives: bool) -> Option<(&'static str, &'static str)> {
    if options.spring.is_some() {
        let help = "leave `length` out and give it as the `rest` of the spring";
        return Some(("`length` makes a rigid rod, on which a `spring` has no effect", help));
    }
    let meets_none = options.limits.is_some() && !gives;
    meets_none
        .then_some(("`length` makes a rigid rod, which never reaches its `limits`", "leave one of them out"))
}

/// The kinds, and which are given.
fn kinds(j: &text::Joint) -> [(&'static str, bool); 19] {
    [
        ("ball", j.ball.is_some()),
        ("hinge", j.hinge.is_some()),
        ("slider", j.slider.is_some()),
        ("cylindrical", j.cylindrical.is_some()),
        ("universal", j.universal.is_some()),
        ("constant_velocity", j.constant_velocity.is_some()),
        ("weld", j.weld.is_some()),
        ("distance", j.distance.is_some()),
        ("point_on_line", j.point_on_line.is_some()),
        ("point_on_plane", j.point_on_plane.is_some()),
        ("planar", j.planar.is_some()),
        ("screw", j.screw.is_some()),
        ("gear", j.gear.is_some()),
        ("rack", j.rack.is_some()),
        ("differential", j.differential.is_some()),
        ("linear_coupling", j.linear_coupling.is_some()),
        ("six_dof", j.six_dof.is_some()),
        ("car_wheel", j.car_wheel.is_some()),
        ("drag_spring", j.drag_spring.is_some()),
    ]
}

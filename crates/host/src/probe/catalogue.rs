//! The list of all probes, for help texts and the reference.
//!
//! Items of subsystems (vehicles, grounds, controllers, …) list their quantities themselves, in a world that has one of
//! each kind. Capital words in the probes stand for names of a scene.

use super::cable::{ALONG, WHOLE};
use super::ground::AT_PLACE;
use super::parse::quoted;
use super::rope;
use super::source::{BETWEEN, BODY, COORDINATE, GENERAL, IN_CONTACT, IN_FLUID, INPUT, JOINT};
use windlass_engine::inspect::subsystems::QuantityId;
use windlass_engine::prelude::{Quantity, World};
use windlass_scene::Built;

/// A scene with an item of every kind that has quantities of its own.
const EVERY_KIND: &str = include_str!("every_kind.toml");

fn every_kind() -> Built {
    let built = windlass_scene::parse(EVERY_KIND, "every_kind.toml").and_then(|scene| scene.build());
    built.expect("the scene is part of the program")
}

/// The probes of the items of subsystems in a world: probe, unit and meaning.
pub fn of_items(world: &World) -> Vec<(String, &'static str, &'static str)> {
    let all = world.quantities();
    let is_rule = |kind: &str, item: &str| {
        all.iter().any(|(key, _, q)| *key == kind && q.item == item && q.name == "active")
    };
    let probe = |(kind, _, q): &(&'static str, QuantityId, Quantity)| {
        let item: Vec<String> = q.item.split('.').map(quoted).collect();
        let item = item.join(".");
        let path = match *kind {
            // the sections of soil are part of the names of items
            "soil" => item,
            "controllers" if is_rule(kind, &q.item) => format!("rules.{item}"),
            kind => format!("{kind}.{item}"),
        };
        (format!("{path}.{}", q.name), q.unit, q.doc)
    };
    all.iter().map(probe).collect()
}

/// All probes: word, unit and meaning.
pub fn catalogue() -> Vec<(String, &'static str, &'static str)> {
    let mut list = vec![("time".to_string(), "s", "simulated time")];
    list.extend(GENERAL.iter().map(|(word, _, unit, about)| (word.to_string(), *unit, *about)));
    let words = |word: &str, components: &[&str]| match components {
        [] => word.to_string(),
        ["x", "y", "z"] => format!("{word}[.x|y|z|size]"),
        list => format!("{word}[.{}]", list.join("|")),
    };
    for e in BODY {
        list.push((format!("bodies.NAME.{}", words(e.word, e.components)), e.unit, e.about));
    }
    for e in IN_CONTACT {
        list.push((format!("bodies.NAME.{}", words(e.word, e.components)), e.unit, e.about));
    }
    for e in IN_FLUID {
        list.push((format!("bodies.NAME.{}", words(e.word, e.components)), e.unit, e.about));
    }
    list.push(("fluids.NAME.height(x, y)".to_string(), "m", "height of the surface at a place"));
    let velocity = "fluids.NAME.velocity(x, y, z)[.x|y|z|size]".to_string();
    list.push((velocity, "m/s", "velocity of the fluid at a point; none where another fluid is"));
    for (word, _, unit, about) in AT_PLACE {
        list.push((format!("grounds.NAME.{word}(x, y)"), unit, about));
    }
    for (word, _, unit, about) in COORDINATE {
        list.push((format!("joints.NAME[.k].{word}"), unit, about));
    }
    list.push(("joints.NAME.tension".to_string(), "N", "tension of a distance joint or rope"));
    for e in JOINT {
        list.push((format!("joints.NAME.{}", words(e.word, e.components)), e.unit, e.about));
    }
    for (word, _, unit, about) in ALONG {
        list.push((format!("cables.NAME.{word}(s)"), unit, about));
    }
    for (word, _, unit, about) in WHOLE {
        list.push((format!("cables.NAME.{word}"), unit, about));
    }
    for (word, _, unit, about) in rope::WHOLE {
        list.push((format!("cables.NAME.{word}"), unit, about));
    }
    for (word, _, unit, about) in rope::NUMBERED {
        list.push((format!("cables.NAME.{word}.k"), unit, about));
    }
    for (word, _, unit, about) in rope::WINCH {
        list.push((format!("winches.NAME.{word}"), unit, about));
    }
    for (word, _, about) in INPUT {
        list.push((format!("inputs.NAME.{word}"), "its own", about));
    }
    for (word, unit, about) in of_items(&every_kind().world) {
        list.push((word.replace(".RULE.", ".NAME."), unit, about));
    }
    list.push(("distance(bodies.NAME, bodies.NAME)".to_string(), "m", "between two origins"));
    for e in BETWEEN {
        let word = format!("contact(bodies.NAME, bodies.NAME).{}", words(e.word, e.components));
        list.push((word, e.unit, e.about));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn items_of_every_kind_are_listed_with_probes_that_can_be_read() {
        let world = every_kind().world;
        for (probe, ..) in of_items(&world) {
            assert!(parse::probe(&probe, &world).is_ok(), "{probe}");
        }
        let list = catalogue();
        for probe in [
            "vehicles.NAME.speed",
            "vehicles.NAME.ENGINE.torque",
            "vehicles.NAME.CYLINDER.gas_pressure",
            "vehicles.NAME.WHEEL.slip_angle",
            "grounds.NAME.cut",
            "tools.NAME.draft",
            "bins.NAME.fill",
            "wheels.NAME.sinkage",
            "tracks.NAME.thrust",
            "controllers.NAME.state",
            "rules.NAME.enabled",
        ] {
            assert_eq!(list.iter().filter(|(word, ..)| word == probe).count(), 1, "{probe}");
        }
    }
}

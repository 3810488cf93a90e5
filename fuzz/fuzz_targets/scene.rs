//! Any text as a scene: it is built and stepped, or told.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match windlass_scene::parse(text, "s.toml").and_then(|scene| scene.build()) {
        Ok(mut built) if built.bodies.len() < 200 => drop(built.world.step()),
        Ok(_) => {}
        Err(errors) => assert!(errors.to_string().starts_with("s.toml:")),
    }
});

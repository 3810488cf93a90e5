//! Checks that a scene fits into free memory.
//!
//! A program that runs out of memory can only be terminated. A scene that cannot fit is therefore rejected before it is
//! built, with a remedy. If memory runs out later, because a step reaches a limit or another program takes the
//! rest, the program ends with exit code 4 and one line of the system.

use std::fs;
use windlass_host::text::digits;
use windlass_scene::{Cause, Errors, Problem, Scene};

/// Rejects a scene that needs more memory than is free.
pub fn judge(scene: &Scene) -> Result<(), Errors> {
    match free() {
        Some(free) => judge_with(scene, free),
        None => Ok(()),
    }
}

fn judge_with(scene: &Scene, free: u64) -> Result<(), Errors> {
    let size = scene.size();
    if size.bytes() <= free {
        return Ok(());
    }
    let [needed, free] = [size.bytes(), free].map(|bytes| digits(bytes as f64 / 1e6));
    let message = format!(
        "the scene needs at least {needed} MB of memory and {free} MB are free: {} bodies, {} joints, {} elements of cables",
        size.bodies, size.joints, size.elements
    );
    let help = "give cables fewer `elements`, patterns a lower `count`, or the program more memory (`ulimit -v` prints its limit)";
    let problem = Problem { span: 0..0, message, help: Some(help.to_string()) };
    let (file, sources) = (scene.file.clone(), scene.sources.clone());
    Err(Errors { file, sources, cause: Cause::Text, problems: vec![problem] })
}

/// Memory available to this process [bytes]: the least of the free memory, the address space limit and the limit of its
/// control group; none if the system does not report it.
fn free() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| kilobytes(&text, "MemAvailable:"));
    let limit = fs::read_to_string("/proc/self/limits").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    });
    let addressed = fs::read_to_string("/proc/self/status").ok().and_then(|text| kilobytes(&text, "VmSize:"));
    let left = limit.map(|limit| limit.saturating_sub(addressed.unwrap_or(0)));
    let group =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    [machine, left, group].into_iter().flatten().min()
}

/// The number of a line that begins with a word, in kB there [bytes].
fn kilobytes(text: &str, word: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(word))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_that_does_not_fit_is_refused_with_what_to_do() {
        let text = "windlass = 2\n[cables.c]\nelements = 50000\nsection = { material = \"steel\", diameter = 0.01 }\n\
                    path = [[0, 0, 5], [1000, 0, 5]]\n";
        let scene = windlass_scene::parse(text, "long.toml").expect("a scene");
        assert!(judge_with(&scene, 1 << 30).is_ok());
        let told = judge_with(&scene, 100_000_000).expect_err("it needs 400 MB").to_string();
        assert!(told.contains("needs at least 400 MB") && told.contains("100 MB are free"), "{told}");
        assert!(told.contains("50000 elements") && told.contains("fewer `elements`"), "{told}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_tells_what_is_free() {
        assert!(free().is_some_and(|bytes| bytes > 1 << 20));
    }
}

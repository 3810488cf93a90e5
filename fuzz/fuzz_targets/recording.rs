//! Any bytes as a recording, its checksums made right so that what is behind them is reached: frames are read, or told.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use windlass_record::Recording;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut recording) = Recording::read(Box::new(Cursor::new(sealed(bytes.to_vec()))), "a.wlr") else {
        return;
    };
    for step in recording.spans().into_iter().flat_map(|span| [span.start, span.end - 1]) {
        let _ = (recording.poses(step), recording.channels(step), recording.key_at_or_before(step));
    }
    let _ = recording.check();
});

/// The bytes with the checksum of every block made right; the format is in `crates/record/src/format.rs`.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut seed = xxh3_64(&bytes[..bytes.len().min(16)]);
    let mut start = 16;
    while let Some(head) = bytes.get(start..start + 16) {
        let length = u64::from_le_bytes(head[8..].try_into().expect("8 bytes"));
        let Some(end) = (start as u64 + 16).checked_add(length).filter(|end| *end < bytes.len() as u64)
        else {
            break;
        };
        let (end, first) = (end as usize, start == 16);
        let sum = xxh3_64_with_seed(&bytes[start..end], seed);
        let Some(place) = bytes.get_mut(end..end + 8) else { break };
        place.copy_from_slice(&sum.to_le_bytes());
        seed = if first { sum } else { seed };
        start = end + 8;
    }
    bytes
}

//! Cut, flipped and hostile files: everything before the damage is used, nothing wrong is returned, nothing
//! falls over.

use crate::kit;

use kit::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;
use windlass_record::{Error, Header, Player, Recorder, Recording, Verify};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

thread_local! {
    /// The largest piece of memory this thread asked for.
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

/// Notes a wish for memory.
fn note(size: usize) {
    LARGEST.with(|largest| largest.set(largest.get().max(size)));
}

struct Watching;

#[allow(unsafe_code, reason = "a global allocator cannot be written without")]
// SAFETY: every call is handed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promises are those of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: as above.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

const SCRIPT: Script<'static> = &[(30, "push", "link 1"), (120, "rope", "link 1"), (120, "push", "link 0")];

/// Where blocks begin, and where the last ends.
fn blocks(bytes: &[u8]) -> Vec<usize> {
    let mut starts = vec![16];
    while *starts.last().unwrap() < bytes.len() {
        let at = *starts.last().unwrap();
        let length = u64::from_le_bytes(bytes[at + 8..at + 16].try_into().unwrap());
        starts.push(at + 24 + length as usize);
    }
    starts
}

/// The last frame of the whole blocks within some bytes, from a scan of the undamaged file.
fn frames_within(bytes: &[u8], end: usize) -> u64 {
    let starts = blocks(bytes);
    let whole = starts.iter().filter(|s| **s <= end).max().copied().unwrap_or(0);
    open(bytes[..whole.max(16)].to_vec()).map_or(0, |r| r.steps().map_or(0, |s| s.end() + 1))
}

#[test]
fn a_cut_anywhere_leaves_what_is_before() {
    let (bytes, truth) = recorded(2, 250, SCRIPT);
    let starts = blocks(&bytes);
    let mut dice = Dice(3);
    // every byte of the last three blocks with frames and the index, and a thousand places anywhere
    let every = starts[starts.len() - 6]..bytes.len();
    let random = (0..1000).map(|_| dice.below(bytes.len())).collect::<Vec<_>>();
    let mut checked = 0;
    for cut in every.chain(random) {
        let mut recording = match open(bytes[..cut].to_vec()) {
            Ok(recording) => recording,
            Err(e) => {
                // only without a whole header
                assert!(cut < starts[1], "cut at {cut}: {e}");
                continue;
            }
        };
        let whole = *starts.iter().filter(|s| **s <= cut).max().unwrap();
        match recording.damage() {
            None => assert_eq!(cut, whole),
            Some(damage) => assert_eq!(damage.offset, whole as u64, "cut at {cut}: {damage}"),
        }
        let frames = frames_within(&bytes, whole);
        assert_eq!(recording.steps().map_or(0, |s| s.end() + 1), frames, "cut at {cut}");
        // looking at all frames of all cuts would take long
        if cut % 97 == 0 {
            assert_eq!(agrees(&mut recording, &truth, 0), frames);
            checked += 1;
        }
        if cut % 997 == 0 && frames > 0 {
            let mut player = Player::new(recording, Shop::of(2)).unwrap();
            assert!(player.verify(Verify::Through, on).unwrap().is_good(), "cut at {cut}");
        }
    }
    assert!(checked > 10, "{checked}");
}

#[test]
fn a_flipped_bit_is_never_taken_for_good() {
    let (bytes, truth) = recorded(2, 250, SCRIPT);
    let starts = blocks(&bytes);
    let mut dice = Dice(11);
    let edits = open(bytes.clone()).unwrap().edits().to_vec();
    for _ in 0..1000 {
        let at = dice.below(bytes.len());
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << dice.below(8);
        let hurt = *starts.iter().filter(|s| **s <= at).max().unwrap_or(&0);
        let mut recording = match open(flipped) {
            Ok(recording) => recording,
            Err(e) => {
                assert!(at < starts[1], "byte {at}: {e}");
                continue;
            }
        };
        // told where, either at once or when all is read
        let damage = recording.damage().cloned().or(recording.check().unwrap());
        let damage = damage.unwrap_or_else(|| panic!("byte {at} was flipped and nobody noticed"));
        assert!(
            damage.offset as usize >= hurt && damage.offset as usize <= at.max(hurt + 16),
            "{damage}, flipped {at}"
        );
        let frames = agrees(&mut recording, &truth, 0);
        assert!(frames >= frames_within(&bytes, hurt), "byte {at}: {frames} frames");
        assert!(edits.starts_with(recording.edits()) || edits == recording.edits());
    }
}

#[test]
fn a_recording_with_a_damaged_middle_plays_around_it() {
    let (mut bytes, truth) = recorded(2, 250, SCRIPT);
    let mut recording = open(bytes.clone()).unwrap();
    assert!(recording.hash(50).is_ok());
    // the block of frames 0 to 99
    let at = blocks(&bytes)[2] + 40;
    bytes[at] ^= 1;
    let mut recording = open(bytes).unwrap();
    let error = recording.poses(50).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }) && error.to_string().contains("byte"), "{error}");
    assert_eq!(recording.hash(150).unwrap(), truth.hashes[150]);
    let stage = Shop::of(2);
    // the player starts at the first frame, which is gone
    assert!(matches!(Player::new(recording, stage), Err(Error::Damaged { .. })));
}

/// A block as a writer would seal it.
fn sealed(kind: &[u8; 4], number: u32, seed: u64, body: &[u8]) -> Vec<u8> {
    let mut out = kind.to_vec();
    out.extend_from_slice(&number.to_le_bytes());
    out.extend_from_slice(&(body.len() as u64).to_le_bytes());
    out.extend_from_slice(body);
    let sum = xxh3_64_with_seed(&out, seed);
    out.extend_from_slice(&sum.to_le_bytes());
    out
}

/// The header of a recording, and its id.
fn head(bytes: &[u8]) -> (Vec<u8>, u64) {
    let end = blocks(bytes)[1];
    let id = u64::from_le_bytes(bytes[end - 8..end].try_into().unwrap());
    (bytes[..end].to_vec(), id)
}

#[test]
fn unknown_blocks_are_passed_over_by_their_first_letter() {
    let (bytes, truth) = recorded(2, 250, &[]);
    let (head, id) = head(&bytes);
    for (kind, frames) in [(b"film", 100), (b"FILM", 0)] {
        let mut with = head.clone();
        with.extend(sealed(kind, 1, id, b"anything"));
        // the blocks after the header, one place later: marks of the first second, then its frames
        let starts = blocks(&bytes);
        for (number, pair) in (2..).zip(starts[1..4].windows(2)) {
            let kind: [u8; 4] = bytes[pair[0]..pair[0] + 4].try_into().unwrap();
            with.extend(sealed(&kind, number, id, &bytes[pair[0] + 16..pair[1] - 8]));
        }
        let mut recording = open(with).unwrap();
        assert_eq!(agrees(&mut recording, &truth, 0), frames);
        let told = recording.damage().map(|d| d.to_string());
        assert_eq!(told.is_some(), frames == 0, "{told:?}");
        assert!(told.is_none_or(|t| t.contains("unknown kind FILM") && t.contains("newer")));
    }
}

#[test]
fn states_of_an_older_version_are_told_as_such() {
    let (bytes, truth) = recorded(2, 50, &[]);
    let starts = blocks(&bytes);
    let (mut with, id) = head(&bytes);
    for (number, pair) in (1..).zip(starts[1..].windows(2)) {
        let kind: [u8; 4] = bytes[pair[0]..pair[0] + 4].try_into().unwrap();
        let mut body = bytes[pair[0] + 16..pair[1] - 8].to_vec();
        if kind == *b"STEP" {
            // the state of a version without contacts, sealed as its recorder would
            let hashes = 16..16 + 8 * 51;
            let length = |at: usize| u32::from_le_bytes(body[at..at + 4].try_into().unwrap()) as usize;
            let part = hashes.end..hashes.end + 8 + length(hashes.end + 4);
            let mut state =
                zstd::bulk::decompress(&body[part.start + 8..part.end], length(part.start)).unwrap();
            assert_eq!(&state[..8], b"WLSTATE6");
            state[7] = b'2';
            let packed = zstd::bulk::compress(&state, 1).unwrap();
            let mut new = (state.len() as u32).to_le_bytes().to_vec();
            new.extend_from_slice(&(packed.len() as u32).to_le_bytes());
            new.extend_from_slice(&packed);
            body.splice(part, new);
            body[16..24].copy_from_slice(&xxhash_rust::xxh64::xxh64(&state, 0).to_le_bytes());
        }
        with.extend(sealed(&kind, number, id, &body));
    }
    let mut recording = open(with).unwrap();
    // it can be watched, but not restarted
    assert_eq!(recording.hash(20).unwrap(), truth.hashes[20]);
    assert!(recording.poses(20).is_ok());
    let told = recording.key_at_or_before(20).unwrap_err().to_string();
    for word in ["step 0 was written by another version", "\"WLSTATE2\"", "windlass 0.", "can be watched"] {
        assert!(told.contains(word), "{told}");
    }
    assert!(matches!(Player::new(recording, Shop::of(2)), Err(Error::OtherState { .. })));
}

#[test]
fn blocks_of_other_files_and_places_are_refused() {
    let (bytes, _) = recorded(2, 250, &[]);
    let starts = blocks(&bytes);
    // a block twice
    let mut twice = bytes[..starts[3]].to_vec();
    twice.extend_from_slice(&bytes[starts[2]..starts[3]]);
    let damage = open(twice).unwrap().damage().cloned().unwrap();
    assert!(damage.why.contains("found block 2 instead of block 3"), "{damage}");
    // a block of the recording of another scene
    let memory = Memory::default();
    let mut world = machine(2);
    let mut recorder = Recorder::begin(Box::new(memory.clone()), "b", &Header::default(), &world).unwrap();
    run_plain(&mut world, &mut recorder, 120);
    let other = memory.content();
    let mut mixed = bytes[..starts[1]].to_vec();
    mixed.extend_from_slice(&other[blocks(&other)[1]..]);
    let recording = open(mixed).unwrap();
    assert_eq!(recording.steps(), None);
    assert!(recording.damage().unwrap().why.contains("checksum"));
}

fn run_plain(world: &mut windlass_engine::prelude::World, recorder: &mut Recorder, steps: usize) {
    for _ in 0..steps {
        world.step();
        recorder.step(world).unwrap();
    }
}

#[test]
fn announced_sizes_are_not_believed() {
    let (bytes, _) = recorded(2, 10, &[]);
    let (head, id) = head(&bytes);
    let reads = |mut file: Vec<u8>, more: &[u8]| {
        file.extend_from_slice(more);
        LARGEST.set(0);
        let mut recording = open(file);
        let told = match &mut recording {
            Ok(r) => r.damage().cloned().or_else(|| r.check().unwrap()).map(|d| d.to_string()),
            Err(e) => Some(e.to_string()),
        };
        let taken = LARGEST.get();
        assert!(taken < 8 << 20, "{taken} bytes were taken for a small file");
        told.expect("the file is not sound")
    };
    // a block of 4e9 bytes, and of 2⁶⁰
    for length in [4_000_000_000u64, 1 << 60, u64::MAX, u64::MAX - 7] {
        let mut block = b"STEP\x01\0\0\0".to_vec();
        block.extend_from_slice(&length.to_le_bytes());
        block.extend_from_slice(&[0; 100]);
        reads(head.clone(), &block);
    }
    // 4e9 frames, bodies, edits, marks, states; sealed as a writer would
    let numbers = |list: &[u64]| list.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let many = 4_000_000_000u64;
    let bodies = many << 32 | 1;
    for body in [
        numbers(&[0, many]),
        numbers(&[0, bodies, 0, 0]),
        numbers(&[u64::MAX, 2]),
        numbers(&[many << 32 | many]),
    ] {
        reads(head.clone(), &sealed(b"STEP", 1, id, &body));
        reads(head.clone(), &sealed(b"EVNT", 1, id, &body));
        reads(head.clone(), &sealed(b"NAME", 1, id, &body));
    }
    // a header of 4e9 bodies
    let zstd = |raw: &[u8]| {
        let packed = zstd::bulk::compress(raw, 1).unwrap();
        let mut part = (raw.len() as u32).to_le_bytes().to_vec();
        part.extend_from_slice(&(packed.len() as u32).to_le_bytes());
        part.extend_from_slice(&packed);
        part
    };
    let mut main = 0u32.to_le_bytes().to_vec();
    [0.01f64, 1e-5, 1e-5].iter().for_each(|x| main.extend_from_slice(&x.to_le_bytes()));
    main.extend_from_slice(&(many as u32).to_le_bytes());
    let preamble = &bytes[..16];
    let mut hostile = preamble.to_vec();
    hostile.extend(sealed(b"HEAD", 0, xxh3_64(preamble), &zstd(&main)));
    let told = reads(hostile, &[]);
    assert!(told.contains("4000000000 entries"), "{told}");
    // a part that says it grows to 64 MiB, out of 30 bytes
    let mut liar = zstd(&main);
    liar[..4].copy_from_slice(&(64u32 << 20).to_le_bytes());
    let mut hostile = preamble.to_vec();
    hostile.extend(sealed(b"HEAD", 0, xxh3_64(preamble), &liar));
    reads(hostile, &[]);
}

/// Damages a file; some damages are sealed again, so that what is behind the checksums is reached.
fn mutated(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let starts = blocks(bytes);
    let mut out = bytes.to_vec();
    for _ in 0..=dice.below(3) {
        let at = dice.below(out.len());
        match dice.below(6) {
            0 if !out.is_empty() => out[at] ^= 1 << dice.below(8),
            1 => out.truncate(at),
            2 => {
                let end = (at + dice.below(200)).min(out.len());
                out.drain(at..end);
            }
            3 => {
                let from = dice.below(bytes.len());
                let piece = &bytes[from..(from + dice.below(200)).min(bytes.len())];
                out.splice(at..at, piece.iter().copied());
            }
            4 => {
                let extremes = [0, 1, u64::MAX, 1 << 31, 1 << 32, 4_000_000_000, 1 << 62];
                let number = extremes[dice.below(extremes.len())].to_le_bytes();
                let size = [1, 4, 8][dice.below(3)].min(out.len() - at);
                out[at..at + size].copy_from_slice(&number[..size]);
            }
            _ if out.len() == bytes.len() => reseal(&mut out, &starts, dice),
            _ => {}
        }
    }
    out
}

/// Changes a byte, or a number, within one block and makes its checksum right.
fn reseal(out: &mut [u8], starts: &[usize], dice: &mut Dice) {
    let block = dice.below(starts.len() - 1);
    let (start, end) = (starts[block], starts[block + 1]);
    let at = start + dice.below(end - start - 8);
    match dice.below(2) {
        0 => out[at] = dice.below(256) as u8,
        _ => {
            let size = 4.min(end - 8 - at);
            out[at..at + size].copy_from_slice(&[0xff, 0xff, 0xff, 0x7f][..size]);
        }
    }
    let seed = if block == 0 {
        xxh3_64(&out[..16])
    } else {
        u64::from_le_bytes(out[starts[1] - 8..starts[1]].try_into().unwrap())
    };
    let sum = xxh3_64_with_seed(&out[start..end - 8], seed);
    out[end - 8..end].copy_from_slice(&sum.to_le_bytes());
}

/// Reads all there is to read.
fn read_all(recording: &mut Recording) -> usize {
    let mut read = 0;
    let spans = recording.spans();
    let steps = spans.iter().flat_map(|s| [s.start, s.start + (s.end - s.start) / 2, s.end - 1]);
    for step in steps.collect::<Vec<_>>() {
        read += recording.poses(step).is_ok() as usize;
        read += recording.hash(step).is_ok() as usize;
        read += recording.channels(step).is_ok() as usize;
        read += recording.key_at_or_before(step).is_ok() as usize;
        let _ = recording.names(step);
    }
    let _ = (recording.refresh(), recording.check(), recording.keys());
    read
}

fn fuzz(rounds: usize) {
    let corpus = [recorded(1, 3, &[]).0, recorded(1, 12, &[(4, "push", "link 0"), (4, "add", "x")]).0];
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    LARGEST.set(0);
    let (mut opened, mut read, mut verified) = (0, 0, 0);
    for round in 0..rounds {
        let bytes = mutated(&corpus[round % 2], &mut dice);
        match open(bytes) {
            Ok(mut recording) => {
                opened += 1;
                read += read_all(&mut recording);
                if let (0, Ok(mut player)) = (round % 15, Player::new(recording, Shop::of(1))) {
                    // a gap may be announced to be of any length
                    let mut left = 100;
                    let verdict = player.verify(Verify::FromKeys, |_| {
                        left -= 1;
                        if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                    });
                    verified += verdict.is_ok() as usize;
                }
            }
            Err(e) => assert!(!e.to_string().is_empty()),
        }
    }
    let taken = LARGEST.get();
    assert!(taken < 70 << 20, "{taken} bytes were taken for a small file");
    assert!(verified > rounds / 1000, "{verified} verified");
    assert!(
        opened > rounds / 10 && read > rounds / 10,
        "{opened} opened, {read} read: the damage is too heavy"
    );
    println!("{opened} opened, {read} values read, {verified} verified");
}

#[test]
fn mutated_recordings_do_no_harm() {
    fuzz(10_000);
}

#[test]
#[ignore = "minutes: cargo nextest run -p windlass-record --run-ignored only --no-capture a_million"]
fn a_million_mutated_recordings_do_no_harm() {
    fuzz(1_000_000);
}

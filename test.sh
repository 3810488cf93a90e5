#!/usr/bin/env bash
# Everything that must hold, in one command: format, lints, tests, documentation. Used as it is by .ci/run.
set -euo pipefail
cd "$(dirname "$0")"

# what a fresh Debian machine with Rust may lack
if ! command -v cc >/dev/null; then
    apt-get update -qq && apt-get install -y -qq build-essential
fi
if ! command -v povray >/dev/null || ! command -v ffmpeg >/dev/null; then
    apt-get update -qq && apt-get install -y -qq povray ffmpeg
fi
if ! cargo nextest --version >/dev/null 2>&1; then
    cargo install --locked cargo-nextest
fi

cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings
cargo nextest run --workspace --no-fail-fast
cargo test --workspace --doc --quiet
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

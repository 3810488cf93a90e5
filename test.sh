#!/usr/bin/env bash
# What must hold, in one command: format, lints, tests, documentation, Python, the page in a browser. Used as it is by .ci/run.
set -euo pipefail
cd "$(dirname "$0")"
# what is built is found here, wherever else the user may have things built
export CARGO_TARGET_DIR=$PWD/target
# everything is compiled once: what later builds could reuse would double the space on disk
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}

# what a fresh Debian machine with Rust and Node may lack
lacking=()
command -v cc >/dev/null || lacking+=(build-essential)
command -v povray >/dev/null || lacking+=(povray)
command -v ffmpeg >/dev/null || lacking+=(ffmpeg)
command -v npm >/dev/null || lacking+=(npm)
command -v chromium >/dev/null || lacking+=(chromium)
if ((${#lacking[@]})); then
    apt-get update -qq && apt-get install -y -qq "${lacking[@]}"
fi
if ! cargo nextest --version >/dev/null 2>&1; then
    cargo install --locked cargo-nextest
fi

(cd crates/studio/web && npm ci --no-audit --no-fund && npm test && npm run build)
cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings
# what the tests of the validation find is held against the catalogue: no line of it may be missed or left out
findings=$(mktemp -d)
trap 'rm -rf "$findings"' EXIT
WINDLASS_FINDINGS=$findings cargo nextest run --workspace --no-fail-fast
target/debug/examples/validation "$findings"
cargo test --workspace --doc --quiet
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet
# the Python package, with what was just built
python/test.sh
# the page in a browser, before a stand-in and before the program that was just built; `npm run test:pages` has
# more, which are slow without graphics hardware
(cd crates/studio/web && npm run test:browser && npm run test:studio)

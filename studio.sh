#!/usr/bin/env bash
# Everything from a fresh clone to a crane that can be driven: builds the page, installs `windlass`, opens the studio.
# What is given goes to `windlass studio`: a scene, --port, --no-open.
set -euo pipefail
cd "$(dirname "$0")"

# what a fresh Debian machine with Rust and Node may lack
if ! command -v cc >/dev/null; then
    apt-get update -qq && apt-get install -y -qq build-essential
fi
if ! command -v npm >/dev/null; then
    apt-get update -qq && apt-get install -y -qq npm
fi

(cd crates/studio/web && npm ci --no-audit --no-fund && npm run build)
cargo install --path crates/cli --locked
exec "${CARGO_HOME:-$HOME/.cargo}/bin/windlass" studio "$@"

#!/usr/bin/env bash
# The Python package: builds the wheel, installs it into an environment of its own, then tests, types and the book's blocks.
# Packages that are optional and missing are skipped, and named.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}

if ! python3 -c "import venv, ensurepip" >/dev/null 2>&1; then
    apt-get update -qq && apt-get install -y -qq python3 python3-venv
fi
environment=$CARGO_TARGET_DIR/python
python3 -m venv "$environment"
# shellcheck disable=SC1091
source "$environment/bin/activate"
pip install --quiet "maturin>=1.16,<2" "numpy>=1.24" pytest mypy
# what the optional parts need; without them their tests are skipped
for optional in gymnasium ray nbclient ipykernel; do
    pip install --quiet "$optional" || echo "note: $optional is not available: its tests are skipped"
done
# the development profile reuses what the other tests have built
wheels=$CARGO_TARGET_DIR/wheels
rm -rf "$wheels"
maturin build --profile dev --quiet --out "$wheels"
pip install --quiet --force-reinstall --no-deps "$wheels"/windlass-*.whl
python -m pytest python/tests -q
python -m mypy python/windlass
python -m mypy.stubtest windlass._core

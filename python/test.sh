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
# made once: a later run finds its packages there
[[ -x $environment/bin/pip ]] || python3 -m venv "$environment"
# shellcheck disable=SC1091
source "$environment/bin/activate"
pip install --quiet "maturin>=1.16,<2" "numpy>=1.24" pytest mypy
# what the optional parts need; without them their tests are skipped
optional=(gymnasium ray nbclient ipykernel pandas pyarrow matplotlib)
pip install --quiet "${optional[@]}" 2>/dev/null || for package in "${optional[@]}"; do
    pip install --quiet "$package" || echo "note: $package is not available: its tests are skipped"
done
# the development profile, with the features of the workspace, reuses what the other tests have built
wheels=$CARGO_TARGET_DIR/wheels
rm -rf "$wheels"
maturin build --profile dev --quiet --out "$wheels"
pip install --quiet --force-reinstall --no-deps "$wheels"/windlass-*.whl
python -m pytest python/tests -q --durations=15
python -m mypy python/windlass
python -m mypy.stubtest windlass._core

"""What the tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def scenes() -> Path:
    """The scenes of the repository."""
    return ROOT / "scenes"


@pytest.fixture
def command(tmp_path: Path):
    """Runs the command `windlass` of the package in a folder of the test."""

    def run(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "windlass", *arguments]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=300, env={**os.environ, "NO_COLOR": "1"})
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


#: A trolley with a load on a rope, and an input.
CRANE = """
windlass = 2
[bodies.rail]
type = "static"
[bodies.trolley]
mass = 800
shape = { box = { size = [1, 1, 0.4] } }
[bodies.load]
mass = 2000
position = [0, 0, -8]
shape = { sphere = { radius = 0.5 } }
[joints.travel]
slider = { bodies = ["rail", "trolley"], at = [0, 0, 0], axis = [1, 0, 0], motor = { speed = 0, force = 20e3 } }
[joints.rope]
ball = { bodies = ["trolley", "load"], at = [0, 0, 0] }
[inputs.travel]
range = ["-2 m/s", "2 m/s"]
rate = "1 m/s^2"
drives = [{ joint = "travel" }]
[probes]
x = "bodies.load.position.x"
"""

#: A body that a parameter makes fly away at once.
BROKEN = """
windlass = 2
[parameters]
pull = 1
[bodies.stone]
mass = 1
shape = { sphere = { radius = 0.1 } }
[forces.pull]
applied = { body = "stone", force = ["= pull", 0, 0] }
"""


@pytest.fixture
def crane(tmp_path: Path) -> Path:
    """A small crane as a file."""
    path = tmp_path / "crane.toml"
    path.write_text(CRANE)
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A scene that ends in a fault with `parameters.pull=1e15`."""
    path = tmp_path / "broken.toml"
    path.write_text(BROKEN)
    return path

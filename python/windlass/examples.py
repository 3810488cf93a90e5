"""Scenes that come with the package."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from windlass import _core
from windlass._values import overrides
from windlass.simulation import Simulation


def names() -> list[str]:
    """Their names: ``"crane/operated.toml"``."""
    return [name for name, _ in _core.shipped_scenes()]


def shipped(name: str, **parameters: object) -> Simulation:
    """A scene of the package, by its name; parameters replace those of its text."""
    return Simulation(text=(_text(name), name), overrides=overrides({f"parameters.{key}": value for key, value in parameters.items()}))


def write(name: str, folder: str | os.PathLike[str] | None = None) -> Path:
    """Writes a scene of the package to a file, by default in a temporary folder, and returns its path."""
    path = Path(folder or tempfile.mkdtemp(prefix="windlass-")) / Path(name).name
    path.write_text(_text(name), encoding="utf-8")
    return path


def _text(name: str) -> str:
    found = dict(_core.shipped_scenes()).get(name)
    if found is None:
        raise KeyError(f"no scene {name!r}: the scenes are {', '.join(names())}")
    return found

"""Scenes that come with the package."""

from __future__ import annotations

from windlass import _core
from windlass._values import overrides
from windlass.simulation import Simulation


def names() -> list[str]:
    """Their names: ``"crane/operated.toml"``."""
    return [name for name, _ in _core.shipped_scenes()]


def shipped(name: str, **parameters: object) -> Simulation:
    """A scene of the package, by its name; parameters replace those of its text."""
    found = dict(_core.shipped_scenes()).get(name)
    if found is None:
        raise KeyError(f"no scene {name!r}: the scenes are {', '.join(names())}")
    return Simulation(text=(found, name), overrides=overrides({f"parameters.{key}": value for key, value in parameters.items()}))

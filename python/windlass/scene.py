"""Scenes made in Python: sections and entries as in scene files, with the same checks and errors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

from windlass._values import Value, key_text, toml

#: Sections whose entries have names.
SECTIONS = (
    "parameters",
    "materials",
    "sections",
    "bodies",
    "joints",
    "forces",
    "cables",
    "winches",
    "fluids",
    "soils",
    "grounds",
    "tools",
    "bins",
    "wheels",
    "tracks",
    "vehicles",
    "tires",
    "inputs",
    "controllers",
    "rules",
    "patterns",
    "prefabs",
    "instances",
    "cameras",
    "probes",
)

#: Sections that are lists of entries without names.
LISTS = ("frictions", "contacts", "script")


class Section(MutableMapping[str, Any]):
    """The entries of a section by name: ``scene.bodies["load"] = dict(mass="6 t", …)``."""

    def __init__(self) -> None:
        self._entries: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        return self._entries[name]

    def __setitem__(self, name: str, entry: Value) -> None:
        toml(entry)
        self._entries[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<Section: {', '.join(self)}>"


class Scene:
    """A scene made in Python. Every section of scene files is an attribute: ``bodies``, ``joints``, ``cables``, ``inputs``.
    Those whose entries have no names, ``frictions``, ``contacts`` and ``script``, are lists.

    >>> scene = Scene(title="Pendulum")
    >>> scene.bodies["post"] = {"type": "static"}
    >>> scene.bodies["bob"] = {"position": [1, 0, 0], "mass": "2 kg", "shape": {"sphere": {"radius": 0.1}}}
    >>> scene.joints["pivot"] = {"hinge": {"bodies": ["post", "bob"], "at": [0, 0, 0], "axis": [0, 1, 0]}}
    >>> simulation = windlass.load(scene)

    Nothing is checked until the scene is loaded; errors then name the line of `to_toml`. Files that it names are relative
    to the folder of ``name``.
    """

    frictions: list[dict[str, Any]]
    contacts: list[dict[str, Any]]
    script: list[dict[str, Any]]
    parameters: Section
    materials: Section
    sections: Section
    bodies: Section
    joints: Section
    forces: Section
    cables: Section
    winches: Section
    fluids: Section
    soils: Section
    grounds: Section
    tools: Section
    bins: Section
    wheels: Section
    tracks: Section
    vehicles: Section
    tires: Section
    inputs: Section
    controllers: Section
    rules: Section
    patterns: Section
    prefabs: Section
    instances: Section
    cameras: Section
    probes: Section

    def __init__(
        self,
        title: str | None = None,
        *,
        settings: Mapping[str, Value] | None = None,
        name: str | os.PathLike[str] = "scene.toml",
        **top: Value,
    ) -> None:
        #: The name of the scene in messages.
        self.name = os.fspath(name)
        #: Keys before all sections: ``title``, ``duration``, ``include``.
        self.top: dict[str, Value] = {**({"title": title} if title is not None else {}), **top}
        #: The section ``settings``.
        self.settings: dict[str, Value] = dict(settings or {})
        for section in SECTIONS:
            setattr(self, section, Section())
        for section in LISTS:
            setattr(self, section, [])

    def to_toml(self) -> str:
        """The scene as the text of a file."""
        lines = ["windlass = 2", *(f"{key_text(key)} = {toml(value)}" for key, value in self.top.items())]
        if self.settings:
            lines += ["", "[settings]", *(f"{key_text(key)} = {toml(value)}" for key, value in self.settings.items())]
        for section in SECTIONS:
            entries: Section = getattr(self, section)
            plain = {name: entry for name, entry in entries.items() if not isinstance(entry, Mapping)}
            if plain:
                lines += ["", f"[{section}]", *(f"{key_text(name)} = {toml(value)}" for name, value in plain.items())]
            for name, entry in entries.items():
                if isinstance(entry, Mapping):
                    lines += ["", f"[{section}.{key_text(name)}]"]
                    lines += [f"{key_text(str(key))} = {toml(value)}" for key, value in entry.items()]
        for section in LISTS:
            for entry in getattr(self, section):
                lines += ["", f"[[{section}]]", *(f"{key_text(str(key))} = {toml(value)}" for key, value in entry.items())]
        return "\n".join(lines) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the text to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_toml())

    def __repr__(self) -> str:
        counts = {section: len(getattr(self, section)) for section in (*SECTIONS, *LISTS)}
        return f"<Scene {self.name}: {', '.join(f'{n} {section}' for section, n in counts.items() if n)}>"

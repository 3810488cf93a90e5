"""The readings of a run."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from windlass import _core

Array = npt.NDArray[np.float64]


class Log(Mapping[str, Array]):
    """Columns of numbers over time, by their names.

    ``log["bodies.load.position.z"]`` is one column, ``log["bodies.load.position"]`` an array (rows, 3) of all columns
    whose names begin so. ``log.time`` [s] is the instant of each row.
    """

    def __init__(self, columns: Sequence[tuple[str, str, bool]], table: Array) -> None:
        self._names = [name for name, _, _ in columns]
        #: The unit of each column, as scene files have it: ``"m/s"``; empty for plain numbers.
        self.units: dict[str, str] = {name: unit for name, unit, _ in columns}
        #: The columns with numbers of a statically indeterminate reaction: only sums of such reactions have a meaning.
        self.indeterminate: frozenset[str] = frozenset(name for name, _, marked in columns if marked)
        #: All numbers, (rows, columns). The first column is the time.
        self.table = table

    @property
    def time(self) -> Array:
        """The instant of each row [s]."""
        return self["time"]

    @property
    def names(self) -> list[str]:
        """The names of the columns, the time first."""
        return list(self._names)

    def __getitem__(self, name: str) -> Array:
        if name in self.units:
            column: Array = self.table[:, self._names.index(name)]
            return column
        found = [place for place, own in enumerate(self._names) if own.startswith(f"{name}.")]
        if not found:
            raise KeyError(f"no column {name!r}: the columns are {', '.join(self._names)}")
        columns: Array = self.table[:, found]
        return columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        rows = self.table.shape[0]
        return f"<Log of {rows} rows: {', '.join(self._heads())}>"

    def _heads(self) -> list[str]:
        heads = [f"{name} [{unit}]" if unit else name for name, unit in self.units.items()]
        return [f"{head}{self._remark(name)}" for head, name in zip(heads, self._names, strict=True)]

    def _remark(self, name: str) -> str:
        return " (indeterminate)" if name in self.indeterminate else ""

    def to_pandas(self) -> Any:
        """A data frame with the time as its index. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.table[:, 1:], columns=self._names[1:], index=pandas.Index(self.time, name="time"))

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes a table like that of ``windlass run --log``: heads with units, empty cells for missing numbers."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self._heads())
            for row in self.table.tolist():
                writer.writerow(["" if number != number else repr(number) for number in row])

    def svg(self, *names: str, title: str | None = None) -> str:
        """Curves over time as SVG: of all columns, or of those named."""
        chosen = [own for own in self._names[1:] if not names or any(own == n or own.startswith(n + ".") for n in names)]
        if not chosen and not names:
            raise ValueError("the log has no columns but the time: nothing to draw")
        if not chosen:
            raise KeyError(f"no columns {', '.join(names)}: the columns are {', '.join(self._names)}")
        curves = [(name + self._remark(name), self.units[name], self[name].tolist()) for name in chosen]
        return _core.draw_curves(("time", "s", self.time.tolist()), curves, title)

    def plot(self, *names: str, title: str | None = None) -> Picture:
        """The same as a picture that notebooks show."""
        return Picture(self.svg(*names, title=title))

    def _repr_svg_(self) -> str | None:
        return self.svg() if len(self._names) <= 9 else None


class Picture:
    """An SVG picture that notebooks show."""

    def __init__(self, svg: str) -> None:
        #: Its text.
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture of {len(self.svg)} characters of SVG>"

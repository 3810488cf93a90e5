"""Python values as TOML, for overrides and scenes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Union

import numpy as np

#: What may stand for a value of a scene: numbers, texts (with units), truth values, lists and tables of these.
Value = Union[bool, int, float, str, np.ndarray, "list[Any]", "tuple[Any, ...]", "dict[str, Any]", Any]

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def key_text(key: str) -> str:
    """A key, quoted if it must be."""
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """A text in quotes. JSON's escapes are TOML's, apart from DEL, which TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml(value: Value) -> str:
    """A value as TOML."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if not math.isfinite(number):
            return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
        return repr(number)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        entries = (f"{key_text(str(key))} = {toml(entry)}" for key, entry in value.items())
        return "{ " + ", ".join(entries) + " }"
    if isinstance(value, np.ndarray):
        return toml(value.tolist())
    # not every iterable: a set has no order, a generator can be read once only
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return "[" + ", ".join(toml(entry) for entry in value) + "]"
    raise TypeError(f"a value of a scene is a number, text, truth value, list or table, not {type(value).__name__}")


def overrides(values: Mapping[str, Value] | None) -> list[tuple[str, str]]:
    """Overrides as keys and the texts of their values."""
    return [(key, toml(value)) for key, value in (values or {}).items()]

"""The build backend: maturin, with the studio's page built before a wheel, so that the command has it inside."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import maturin
from maturin import *  # noqa: F403  (the hooks that need no page)

WEB = Path(__file__).resolve().parents[2] / "crates" / "studio" / "web"


def build_page() -> None:
    """Builds the page unless it is there. Without npm the package works, but its studio shows how to get the page."""
    if (WEB / "dist" / "index.html").exists():
        return
    npm = shutil.which("npm")
    if npm is None:
        print("note: npm is not installed, so the studio of this wheel has no page", file=sys.stderr)
        return
    for arguments in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
        subprocess.run([npm, *arguments], cwd=WEB, check=True, stdout=sys.stderr)


def build_wheel(directory: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    """Builds a wheel."""
    build_page()
    return maturin.build_wheel(directory, settings, metadata)


def build_editable(directory: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    """Builds a wheel that refers to the sources."""
    build_page()
    return maturin.build_editable(directory, settings, metadata)

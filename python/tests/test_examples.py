"""The examples and the blocks of the book run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))
GALLERY = ROOT / "docs" / "python" / "examples.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "python").glob("*.md"))]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(example: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    if done.returncode == 77:
        pytest.skip(done.stdout.strip().splitlines()[-1])
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip(), "an example prints what it found"
    check_gallery(example.stem, done.stdout)


def check_gallery(stem: str, printed: str) -> None:
    """The page shows what the example prints, where "…" stands for anything. `WINDLASS_REWRITE=1` writes it into the page."""
    page = GALLERY.read_text(encoding="utf-8")
    found = re.search(rf"^`{stem}\.py` [^`]*?^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found, f"{GALLERY.name} has no {stem}.py"
    shown = [re.escape(line).replace("…", ".*") for line in found[1].splitlines()]
    if re.fullmatch("\n".join(shown), printed.rstrip()):
        return
    if "WINDLASS_REWRITE" in os.environ:
        GALLERY.write_text(page[: found.start(1)] + printed + page[found.end(1) :], encoding="utf-8")
        return
    raise AssertionError(f"{GALLERY.name} shows\n{found[1]}and {stem}.py prints\n{printed}")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_blocks_of_the_book_run(page: Path, tmp_path: Path, scenes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crane.toml").write_text((scenes / "crane" / "operated.toml").read_text())
    (tmp_path / "antisway.toml").write_text((scenes / "learn" / "antisway.toml").read_text())
    blocks = re.findall(r"^```py\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    # the blocks of a page are one program
    names: dict[str, object] = {}
    for block in blocks:
        if "import gymnasium" in block:
            pytest.importorskip("gymnasium", reason="pip install windlass[gym]")
        exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_commands_of_the_book_run(page: Path, tmp_path: Path) -> None:
    pytest.importorskip("gymnasium", reason="pip install windlass[gym]")
    blocks = re.findall(r"^```sh python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    # `python` is the interpreter of the tests
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for block in blocks:
        done = subprocess.run(
            ["bash", "-ec", block], cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, block + done.stdout + done.stderr

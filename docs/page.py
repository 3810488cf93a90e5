"""Runs the blocks of a page in a folder, and leaves there what they make: page.py PAGE FOLDER

The rules are those of crates/cli/tests/docs, which compares the output as well.
"""

import shutil
import subprocess
import sys
from pathlib import Path

page, folder = Path(sys.argv[1]), Path(sys.argv[2])
root = Path(__file__).parent.parent
folder.mkdir(parents=True, exist_ok=True)
shutil.copytree(root / "scenes", folder / "scenes", dirs_exist_ok=True)
shutil.copy(root / "crates/import/tests/models/arm.urdf", folder / "robot.urdf")

blocks, language, lines = [], None, []
for line in page.read_text().splitlines():
    if line.startswith("```"):
        if language is None:
            language, lines = line[3:].strip(), []
        else:
            blocks.append((language, lines))
            language = None
    elif language is not None:
        lines.append(line)

for language, lines in blocks:
    name = lines[0].removeprefix("# file: ") if lines and lines[0].startswith("# file: ") else None
    text = "\n".join(lines) + "\n"
    if name:
        (folder / name).write_text(text)
    elif language == "console":
        # what is printed is left out
        script, inside = [], False
        for line in lines:
            inside = line.startswith(("$ ", "> ")) or (inside and script[-1].endswith("\\"))
            if inside:
                script.append(line.removeprefix("$ ").removeprefix("> "))
        subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    elif language in ("sh", "python"):
        program = ["bash", "-c", text] if language == "sh" else ["python3", "-c", text]
        subprocess.run(program, cwd=folder, stdout=subprocess.DEVNULL, check=True)

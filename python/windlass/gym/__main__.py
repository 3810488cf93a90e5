"""The command ``python -m windlass.gym``: the tasks, and the scores of their baselines."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys

from windlass.gym import TASKS
from windlass.gym.score import score

EXAMPLE = """example:
  python -m windlass.gym --task AntiSway-v0 --episodes 64 --seed 1
"""


def main(arguments: list[str] | None = None) -> int:
    """Prints a table of tasks: observations, actions, and the scores of the baselines."""
    parser = argparse.ArgumentParser(
        prog="python -m windlass.gym",
        description="Runs the baselines of the learning tasks and prints their mean return and success rate.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--task", action="append", choices=list(TASKS), help="a task; may be repeated; all without")
    parser.add_argument("--episodes", type=int, default=16, help="episodes per task (default: 16)")
    parser.add_argument("--seed", type=int, default=0, help="episode k draws with SEED + k (default: 0)")
    parser.add_argument("--json", action="store_true", help="print a JSON object per task")
    options = parser.parse_args(arguments)
    if options.episodes < 1:
        parser.error("--episodes is at least 1")
    if not options.json:
        print(f"{'task':<18}{'observations':>13}{'actions':>9}{'mean return':>13}{'deviation':>11}{'success':>9}{'length':>8}")
    for name in options.task or TASKS:
        task = TASKS[name]()
        result = score(task, options.episodes, options.seed)
        if options.json:
            row = {"task": name, "observations": task.observations, "actions": task.actions, "seed": options.seed}
            print(json.dumps(row | dataclasses.asdict(result)), flush=True)
        else:
            print(
                f"{name:<18}{len(task.observations):>13}{len(task.actions):>9}{result.mean:>13.2f}{result.deviation:>11.2f}"
                f"{result.success:>8.0%} {result.actions:>8.1f}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())

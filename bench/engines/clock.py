"""Time of steps: CPU time of the process in microseconds, and a budget of it that ends a run."""

import os
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ.setdefault(name, "1")


def cpu():
    return time.process_time_ns() * 1e-3


class Run:
    """Calls `step` up to so many times, and `look` after each `every`-th; never, if that is 0."""

    def __init__(self, steps, every, budget):
        self.steps, self.every, self.budget = steps, every, budget
        self.times, self.rows = [], []

    def go(self, step, look, alive=lambda: True):
        spent = 0.0
        for k in range(self.steps):
            # three steps at least, that there is a time to tell
            if k > 2 and spent > 1e6 * self.budget:
                break
            before = cpu()
            step(k)
            self.times.append(cpu() - before)
            spent += self.times[-1]
            if self.every and (k + 1) % self.every == 0:
                self.rows.append(look())
                if not alive():
                    self.rows[-1] = self.rows[-1] * float("nan")
                    break
        return self

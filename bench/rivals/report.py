"""Results -> the part of docs/quality/comparison.md between its two marks.

    python report.py results.json own.json ../../docs/quality/comparison.md

results.json is what compare.py wrote, own.json what `windlass-bench --only contact --only crane --json` did.
"""

import json
import math
import sys

import numpy as np

BEGIN, END = "<!-- numbers: written by bench/compare.sh -->", "<!-- end of numbers -->"
OURS = "Windlass"
FRAME = "1/60 s"


def number(x, digits=3):
    if x is None or not math.isfinite(x):
        return "–"
    if x == 0:
        return "0"
    if abs(x) >= 1e6 or abs(x) < 1e-3:
        mantissa, power = f"{x:.{max(0, digits - 2)}e}".split("e")
        return f"{mantissa}e{int(power)}"
    return f"{x:.{max(0, digits - 1 - math.floor(math.log10(abs(x))))}f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


class Results:
    def __init__(self, told):
        self.cases = told["cases"]

    def of(self, bench, **want):
        return [c for c in self.cases if c["bench"] == bench and all(c.get(k) == v for k, v in want.items())]

    def rows(self, bench):
        """Engine and setting of every row of a bench, ours first, in the order in which they ran."""
        return list(dict.fromkeys((c["engine"], c["setting"]) for c in self.of(bench)))

    def one(self, bench, row, **want):
        return next(iter(self.of(bench, engine=row[0], setting=row[1], **want)), None)

    def largest(self, row, n):
        """The largest load that is held with none below it that is not, and how the ladder ended."""
        top, tried = max(c["load"] for c in self.of("b1", n=n)), self.of("b1", engine=row[0], setting=row[1], n=n)
        held = None
        for c in tried:
            if not c["stable"]:
                return held, "failed" if c["stable"] is False else "time"
            held = c["load"]
        return held, "top" if held == top else "time" if tried else "not run"

    def cost(self, row, n):
        """The least median of the rounds [µs]."""
        return min((c["median"] for c in self.of("cost", engine=row[0], setting=row[1], n=n) if "median" in c), default=math.nan)


def name(row):
    return f"**{row[0]}** {row[1]}" if row[0] == OURS else f"{row[0]} {row[1]}"


def power(load):
    return "none" if load is None else f"1e{round(math.log10(load))}"


def held(told):
    load, ended = told
    return {"top": f"≥ {power(load)}", "failed": power(load), "time": f"{power(load)} (time)" if load else "time", "not run": "–"}[ended]


def hoists(r):
    sizes = sorted({c["n"] for c in r.of("b1")})
    own = (OURS, "cable")
    rows = []
    for row in r.rows("b1"):
        costs = [r.cost(row, n) for n in (25, 100)]
        case = r.one("b1", row, n=25, load=100.0) or {}
        true = [number(case.get(k)) for k in ("stretch", "period", "end")] if case.get("stable") is not False else ["fails"] * 3
        times = [x for n, c in zip((25, 100), costs) for x in (number(c), number(c / r.cost(own, n), 2))]
        rows.append([name(row), *[held(r.largest(row, n)) for n in sizes], *times, *true])
    head = ["row", *[f"N = {n}" for n in sizes], "µs, 25", "× ours", "µs, 100", "× ours", "stretch %", "period %", "energy %"]
    return table(head, rows)


def both_at_once(r):
    """Who is cheaper than our cable, who holds as much."""
    own, lines = (OURS, "cable"), []
    for n in (25, 100):
        ours, (load, _) = r.cost(own, n), r.largest(own, n)
        if load is None:
            continue
        rivals = [row for row in r.rows("b1") if row[0] != OURS]
        cheaper = [f"{name(row)} ({number(r.cost(row, n))} µs, holds {power(r.largest(row, n)[0])})" for row in rivals if r.cost(row, n) < ours]
        holding = [(row, r.cost(row, n)) for row in rivals if (r.largest(row, n)[0] or 0) >= load]
        some = sorted(((row, r.cost(row, n)) for row in rivals if (r.largest(row, n)[0] or 0) >= 100), key=lambda x: x[1])
        lines.append(f"* N = {n}: our cable holds {power(load)} and takes {number(ours)} µs. Cheaper a frame: {', '.join(cheaper) or 'none'}. "
                     + "Hold as much: " + (", ".join(f"{name(row)} at {number(t / ours, 2)} times the cost" for row, t in holding) or "none")
                     + (f". Cheapest that holds 100: {name(some[0][0])}, {number(some[0][1] / ours, 2)} times the cost." if some else "."))
    return "\n".join(lines) + "\n"


def substeps(r):
    scenes = list(dict.fromkeys((c["n"], c["load"]) for c in r.of("b1s")))
    if not scenes:
        return "not measured this time.\n"
    rows = []
    for row in r.rows("b1s"):
        cells = []
        for n, load in scenes:
            tries = r.of("b1s", engine=row[0], setting=row[1], n=n, load=load)
            good = [c for c in tries if c.get("stable")]
            out = [c for c in tries if "median" in c]
            cells.append(f"{good[0]['substeps']}: {number(good[0]['median'])} µs" if good else
                         (f"> {out[-1]['substeps']}: {number(out[-1]['median'])} µs (time)" if out else "–"))
        rows.append([name(row), *cells])
    ours = [f"1: {number(c['median'])} µs" if (c := r.one('b1', (OURS, 'cable'), n=n, load=load)) and c["stable"] else "–" for n, load in scenes]
    return table(["row", *[f"N = {n}, {power(load)}" for n, load in scenes]], [[name((OURS, "cable")), *ours], *rows])


def exponent(points):
    return number(float(np.polyfit(*np.log(np.array(points)).T, 1)[0])) if len(points) > 1 else "–"


def scaling(r):
    sizes, rows = sorted({c["n"] for c in r.of("b2") if "n" in c}), []
    for row in r.rows("b2"):
        seen = {c["n"]: c for c in r.of("b2", engine=row[0], setting=row[1]) if "n" in c}
        points = [(n, c["p10"]) for n, c in seen.items()]
        cells = [number(seen[n]["median"]) if n in seen else "–" for n in sizes]
        rows.append([name(row), *cells, exponent(points), exponent([p for p in points if p[0] <= 400]), exponent([p for p in points if p[0] >= 100])])
    return table(["row", *map(str, sizes), "exponent", "to 400", "from 100"], rows)


def step(dt):
    return FRAME if dt > 0.01 else "1 ms"


STATE = {True: "yes", False: "**no**", None: "time"}


def rings(r):
    out = []
    for n in sorted({c["n"] for c in r.of("b3")}):
        for dt in sorted({c["dt"] for c in r.of("b3")}, reverse=True):
            rows = []
            for row in r.rows("b3"):
                c = r.one("b3", row, n=n, dt=dt)
                if c:
                    kept = c["gap"] < 0.01 and c["fall"] > -2 and c["rise"] < 2 and c["stable"]
                    rows.append([name(row), STATE[c["stable"]], number(c["median"]), number(c["gap"]), number(c["rise"]), number(c["end"]), "yes" if kept else ""])
            if rows:
                out.append(f"n = {n}, steps of {step(dt)}:\n\n" + table(["row", "stable", "µs a step", "joint error mm", "energy up %", "energy at the end %", "true"], rows))
    return "\n".join(out)


def boxes(r):
    out = []
    for case, title in (("ten", "Ten cubes of 1 kg"), ("heavy", "1000 kg on 1 kg")):
        rows = [[name(row), STATE[c["stable"]], *[number(c[k]) for k in ("median", "sinks", "depth", "slides", "speed")]]
                for row in r.rows("b4") if (c := r.one("b4", row, case=case))]
        out.append(f"{title}:\n\n" + table(["row", "rests", "µs a step", "sinks mm", "deepest mm", "slides mm", "speed at the end m/s"], rows))
    return "\n".join(out)


def pendulum(r):
    out = []
    for dt in sorted({c["dt"] for c in r.of("b5")}, reverse=True):
        rows = [[name(row), *[number(c[k]) for k in ("median", "fall", "rise", "end", "gap")], "yes" if max(-c["fall"], c["rise"]) < 0.5 else ""]
                for row in r.rows("b5") if (c := r.one("b5", row, dt=dt))]
        out.append(f"Steps of {step(dt)}:\n\n" + table(["row", "µs a step", "energy least %", "most %", "end %", "joint error mm", "within 0.5 %"], rows))
    return "\n".join(out)


def own_table(told):
    rows = told["rows"]
    cell = lambda x: x or "" if not isinstance(x, (int, float)) else f"{x:.0f}" if x == int(x) else number(x)
    return table(list(rows[0]), [[cell(v) for v in row.values()] for row in rows])


def short(r):
    """What the scenes are there to show: ours, the best rival, and whether the goal is reached."""
    own, rows = (OURS, "cable"), []
    told = lambda good: "reached" if good else "**missed**"
    for n in (25, 100):
        load, cost = r.largest(own, n)[0] or 0, r.cost(own, n)
        rivals = [(row, r.largest(row, n)[0] or 0, r.cost(row, n)) for row in r.rows("b1") if row[0] != OURS]
        rivals = [rival for rival in rivals if math.isfinite(rival[2])]
        best = sorted(rivals, key=lambda x: (-x[1], x[2]))[0]
        cheap = sorted(rivals, key=lambda x: x[2])[0]
        rows.append([f"B1, N = {n}: largest load and µs a frame, ahead of everyone in both", f"{power(load or None)}, {number(cost)} µs",
                     f"{name(best[0])}: {power(best[1] or None)}, {number(best[2])} µs; {name(cheap[0])}: {power(cheap[1] or None)}, {number(cheap[2])} µs",
                     told(all(load >= other and cost < time for _, other, time in rivals))])
    sizes = lambda row: [(c["n"], c["p10"]) for c in r.of("b2", engine=row[0], setting=row[1]) if "p10" in c]
    fits = [(row, exponent(sizes(row)), len(sizes(row))) for row in r.rows("b2")]
    # not of those that ran at too few sizes
    flat = min((f for f in fits if f[0][0] != OURS and f[1] != "–"), key=lambda f: float(f[1]))
    mine = next(f for f in fits if f[0] == own)
    rows.append(["B2: exponent of cost, at most 1.05", f"{mine[1]} to N = {sizes(own)[-1][0]}", f"{name(flat[0])}: {flat[1]} to N = {sizes(flat[0])[-1][0]}",
                 told(float(mine[1]) <= 1.05)])
    for n in sorted({c["n"] for c in r.of("b3")}):
        ring = [c for c in r.of("b3", n=n) if step(c["dt"]) == FRAME and "gap" in c and c["stable"]]
        line = lambda c: f"{name((c['engine'], c['setting']))}: {number(c['gap'], 2)} mm, {number(c['end'], 2)} %, {number(c['median'])} µs"
        rank = lambda c: (not (c["gap"] < 0.01 and c["fall"] > -2), c["median"] if c["gap"] < 0.01 and c["fall"] > -2 else -c["fall"])
        mine, theirs = (sorted((c for c in ring if (c["engine"] == OURS) == ours), key=rank) for ours in (True, False))
        rows.append([f"B3, n = {n} at {FRAME}: joint error below 0.01 mm, energy lost below 2 %", line(mine[0]) if mine else "none is stable",
                     line(theirs[0]) if theirs else "none is stable", told(mine and not rank(mine[0])[0])])
    rests = lambda row: all((c := r.one("b4", row, case=case)) and c["stable"] for case in ("ten", "heavy"))
    good = [name(row) for row in r.rows("b4") if row[0] != OURS and rests(row)]
    rows.append(["B4: both cases at rest, as shipped", "both" if rests((OURS, "spook")) else "not both", "tuned: " + ", ".join(good) if good else "none", told(rests((OURS, "spook")))])
    kept = sorted((c for c in r.of("b5") if step(c["dt"]) == FRAME and max(-c["fall"], c["rise"]) < 0.5), key=lambda c: c["median"])
    line = lambda c: f"{name((c['engine'], c['setting']))}: {number(max(-c['fall'], c['rise']), 2)} %, {number(c['median'])} µs"
    mine, theirs = ([c for c in kept if (c["engine"] == OURS) == ours] for ours in (True, False))
    rows.append([f"B5 at {FRAME}: energy within 0.5 %", "; ".join(map(line, mine)), line(theirs[0]) if theirs else "none", told(mine)])
    return table(["what is asked", "ours", "best rivals", ""], rows)


def write(told, own):
    r = Results(told)
    least, middle, most = told["load"]
    versions = ", ".join(f"{k} {v}" for k, v in told["versions"].items())
    kind = "a quick subset" if told["quick"] else "the whole"
    parts = [
        f"Measured on {told['date']} on {told['cores']} cores of {told['processor']}; {kind}, {told['minutes']:.0f} minutes, all in one session, one",
        f"thread each. **Load average {least:.1f} to {most:.1f}, mostly {middle:.1f}**: others used the machine. So times are CPU time of the step call, and repeat",
        f"to 20 to 50 %. {versions}; Rapier as bench/Cargo.lock has it.\n",
        "### In short\n", short(r),
        "### B1: a hoist cable\n", HOIST, hoists(r), both_at_once(r),
        "Engines that fail get by with substeps. How many of a frame until 3 s of swing are stable, and what the frame costs then:\n", substeps(r),
        "### B2: cost against length\n", "The same with a load of 100, the first 40 steps, medians in µs; exponents of cost = c·Nᵏ by the tenth percentiles.\n", scaling(r),
        "### B3: rings\n", RING, rings(r),
        "### B4: boxes\n", BOX, boxes(r),
        "### B5: a double pendulum\n", PENDULUM, pendulum(r),
    ]
    for heading, section in (("Piles", "contact"), ("Cranes", "crane")):
        parts.append(f"### {heading}\n")
        for given in own["sections"][section]:
            title = given["title"].split(": ", 1)[1]
            parts += [f"{title[0].upper()}{title[1:]}.\n", own_table(given)]
    return "\n".join(parts)


HOIST = """10 m of cable of N elements of 1 kg, released at 30° with a load, 10 s in steps of 1/60 s. **Held**: all numbers finite, stretch below 1 %, energy
never more than 5 % of the drop above the start. The columns N = … have the largest load in kg (which is the mass ratio) that is held with none below it
that is not, of 10, 100, … 1e9; "time" means that the budget ran out and all was well so far. Cost: µs a frame with a load of 100, the least median
of some rounds, also for rows that fail there. Stretch, error of the period against one rigid pendulum (the exact chain has 0.05 %; elastic
cables stretched by 0.3 % have 0.2 %) and energy at the end are for N = 25 and a load of 100. Our `spook` row is a chain of ball joints as everyone's;
`cable` is the product's cable. Elastic cables start unstretched and bounce.
"""
RING = """A polygon of n hinged links falls together, 10 s. **True**: joint error below 0.01 mm, energy within 2 %.
"""
BOX = """Cubes of 1 m with friction 0.5 on a floor, 5 s in steps of 1/60 s. **Rests**: moved by less than 50 mm, slower than 10 mm/s in the last half second.
"""
PENDULUM = """Two bars on hinges, released level, 10 s; energy in % of the drop from level to hanging, 20 J.
"""


def main():
    results, own, page = sys.argv[1:]
    before, rest = open(page).read().split(BEGIN)
    after = rest.split(END)[1]
    numbers = write(json.load(open(results)), json.load(open(own)))
    with open(page, "w") as out:
        out.write(f"{before}{BEGIN}\n\n{numbers}\n{END}{after}")


if __name__ == "__main__":
    main()

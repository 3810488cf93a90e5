"""Results -> the two parts of docs/quality/comparison.md between marks: the scenes B1 to B5, and those in water.

    python report.py results.json own.json ../../docs/quality/comparison.md

results.json is what compare.py wrote, own.json what `windlass-bench --only contact --only crane --only water --json` did.
A part whose scenes are not in the results stays as it is.
"""

import json
import math
import sys

import numpy as np

BEGIN, END = "<!-- numbers: written by bench/compare.sh -->", "<!-- end of numbers -->"
WATER = "<!-- numbers in water: written by bench/compare.sh -->", "<!-- end of numbers in water -->"
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
        others = [row for row in r.rows("b1") if row[0] != OURS]
        cheaper = [f"{name(row)} ({number(r.cost(row, n))} µs, holds {power(r.largest(row, n)[0])})" for row in others if r.cost(row, n) < ours]
        holding = [(row, r.cost(row, n)) for row in others if (r.largest(row, n)[0] or 0) >= load]
        some = sorted(((row, r.cost(row, n)) for row in others if (r.largest(row, n)[0] or 0) >= 100), key=lambda x: x[1])
        lines.append(f"* N = {n}: our cable holds {power(load)} and takes {number(ours)} µs. Cheaper per frame: {', '.join(cheaper) or 'none'}. "
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
                out.append(f"n = {n}, steps of {step(dt)}:\n\n" + table(["row", "stable", "µs per step", "joint error mm", "energy up %", "energy at the end %", "within tolerance"], rows))
    return "\n".join(out)


def boxes(r):
    out = []
    for case, title in (("ten", "Ten cubes of 1 kg"), ("heavy", "1000 kg on 1 kg")):
        rows = [[name(row), STATE[c["stable"]], *[number(c[k]) for k in ("median", "sinks", "depth", "slides", "speed")]]
                for row in r.rows("b4") if (c := r.one("b4", row, case=case))]
        out.append(f"{title}:\n\n" + table(["row", "rests", "µs per step", "sinks mm", "deepest mm", "slides mm", "speed at the end m/s"], rows))
    return "\n".join(out)


def pendulum(r):
    out = []
    for dt in sorted({c["dt"] for c in r.of("b5")}, reverse=True):
        rows = [[name(row), *[number(c[k]) for k in ("median", "fall", "rise", "end", "gap")], "yes" if max(-c["fall"], c["rise"]) < 0.5 else ""]
                for row in r.rows("b5") if (c := r.one("b5", row, dt=dt))]
        out.append(f"Steps of {step(dt)}:\n\n" + table(["row", "µs per step", "energy least %", "most %", "end %", "joint error mm", "within 0.5 %"], rows))
    return "\n".join(out)


def own_table(told):
    rows = told["rows"]
    cell = lambda x: x or "" if not isinstance(x, (int, float)) else f"{x:.0f}" if x == int(x) else number(x)
    return table(list(rows[0]), [[cell(v) for v in row.values()] for row in rows])


def short(r):
    """What the scenes are there to show: ours, the best of the others, and whether the target is reached."""
    own, rows = (OURS, "cable"), []
    told = lambda good: "reached" if good else "**missed**"
    for n in (25, 100):
        load, cost = r.largest(own, n)[0] or 0, r.cost(own, n)
        others = [(row, r.largest(row, n)[0] or 0, r.cost(row, n)) for row in r.rows("b1") if row[0] != OURS]
        others = [other_row for other_row in others if math.isfinite(other_row[2])]
        best = sorted(others, key=lambda x: (-x[1], x[2]))[0]
        cheap = sorted(others, key=lambda x: x[2])[0]
        rows.append([f"B1, N = {n}: largest load and µs per frame, ahead of all others in both", f"{power(load or None)}, {number(cost)} µs",
                     f"{name(best[0])}: {power(best[1] or None)}, {number(best[2])} µs; {name(cheap[0])}: {power(cheap[1] or None)}, {number(cheap[2])} µs",
                     told(all(load >= other and cost < time for _, other, time in others))])
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
    return table(["target", "Windlass", "best of the others", ""], rows)


def write(told, own):
    r = Results(told)
    least, middle, most = told["load"]
    versions = ", ".join(f"{k} {v}" for k, v in told["versions"].items())
    kind = "a quick subset" if told["quick"] else "the whole"
    parts = [
        f"Measured on {told['date']} on {told['cores']} cores of {told['processor']}; {kind}, {told['minutes']:.0f} minutes, all in one session, one",
        f"thread each. **Load average {least:.1f} to {most:.1f}, mostly {middle:.1f}**: others used the machine. Times are therefore CPU time of the step call, and repeat",
        f"to 20 to 50 %. {versions}; Rapier as bench/Cargo.lock has it.\n",
        "### In short\n", short(r),
        "### B1: a hoist cable\n", HOIST, hoists(r), both_at_once(r),
        "Engines that fail need substeps: the number per frame for which 3 s of swing are stable, and the cost of the frame:\n", substeps(r),
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
that is not, of 10, 100, … 1e9; "time" means that the time budget ran out before a failure. Cost: µs per frame with a load of 100, the least median
of some rounds, also for rows that fail there. Stretch, error of the period against one rigid pendulum (a rigid chain in closed form has 0.05 %; elastic
cables stretched by 0.3 % have 0.2 %) and energy at the end are for N = 25 and a load of 100. The row `spook` is a chain of ball joints like those of the other engines;
`cable` is a Windlass cable. Elastic cables start unstretched and bounce.
"""
RING = """A polygon of n hinged links falls together, 10 s. **Within tolerance**: joint error below 0.01 mm, energy within 2 %.
"""
BOX = """Cubes of 1 m with friction 0.5 on a floor, 5 s in steps of 1/60 s. **Rests**: moved by less than 50 mm, slower than 10 mm/s in the last half second.
"""
PENDULUM = """Two bars on hinges, released level, 10 s; energy in % of the drop from level to hanging, 20 J.
"""


MOORING = """300 m of chain (126 kg/m, EA 5e8 N, drag 2.4 and 1.15, added mass 1 and 0.5) from an anchor at 110 m depth to a fairlead 260 m away, 10 m below
the surface; frictionless sea bed; 60 elements or segments, case FL14 of the catalogue. **Calm**: the fairlead is fixed, and the reference is the elastic
catenary with touchdown. **Held**: the fairlead is fixed in a regular Airy wave, H = 4 m, T = 8 s, along the line. **Driven**: in this wave the fairlead moves
on a circle of 1 m radius in 8 s. Amplitudes are half the range over two periods after 32 s. Both engines use Wheeler's stretching.

In waves there is no closed form: the reference is MoorDyn itself with 240 segments. Windlass has no line damping. MoorDyn has 0.8 of critical per segment, as in its examples,
unless the row says otherwise. Without it its RK2 diverges at 2 ms, and its RK4 is noisy: at 1 ms it has a driven amplitude of 40 878 N, so that its own criterion
of 1 % says little. Its force includes the weight of the half segment at the fairlead. Its steps are a little below the largest that hold, except that ACA10 at 8 ms is too
long for the held case. Cost: CPU time per simulated second on one core, minimum of the rounds, rows alternating in one run. The ratio to our 1/60 s row means more than the value.
"""
FLOATING = """MuJoCo's ellipsoid model with `density`, `fluidshape="ellipsoid"` and viscosity 0. It has no buoyancy: `gravcomp` supplies that. Its blunt drag coefficient is set to C_D/2,
so that both engines have the same drag law. Its lift terms are off, except that Magnus lift is on for the sphere that spins. The row "added mass as mass" is a workaround: the body
gets ½ρV of additional mass, which is right for a sphere, and its inertia grows in proportion unless it is a sphere. References are closed forms; for the tumbling ellipsoid
the integrated Kirchhoff equations. Entries are deviations in %, except where a unit is given. The sphere that spins has no reference.
"""


def percent(value, exact):
    return "–" if value is None or not math.isfinite(value) else number(100 * (value / exact - 1), 2)


def statics(r, exact):
    rows = [["elastic catenary", number(exact[0], 6), "", number(exact[1], 6), "", number(exact[2], 4), ""]]
    for row in r.rows("w1") + r.rows("w1x"):
        c = r.one("w1", row, case="static") or r.one("w1x", row, case="static")
        if c and "mean" in c:
            rest = min([k["rest"] for k in r.of("w1cost", engine=row[0], setting=row[1], case="static")], default=c["rest"])
            rows.append([name(row), number(c["mean"], 6), percent(c["mean"], exact[0]), number(c["level"], 6), percent(c["level"], exact[1]), number(c["floor"]), number(rest)])
    return table(["row", "tension N", "%", "horizontal N", "%", "on the sea bed m", "CPU time to rest ms"], rows)


def wet_cost(r, row, case):
    return min((c["cost"] for c in r.of("w1cost", engine=row[0], setting=row[1], case=case) if "cost" in c), default=math.nan)


def apart(a, b):
    """Largest difference of two tensions at the same time, in % of the mean of the second."""
    if not a or not b or "trace" not in a or "trace" not in b:
        return math.nan
    a, b = np.array(a["trace"], float), np.array(b["trace"], float)
    return 100 * float(np.max(np.abs(a - b)) / b.mean())


def waves(r):
    out = []
    finest = next((row for row in r.rows("w1x") if row[0] == "MoorDyn"), None)
    stock = next(row for row in r.rows("w1") if row[0] == "MoorDyn")
    for case, title in (("held", "Held in waves"), ("driven", "Driven in waves")):
        bench, base = ("w1x", finest) if finest else ("w1", stock)
        reference, rows = r.one(bench, base, case=case), []
        for row in r.rows("w1") + r.rows("w1x"):
            c = r.one("w1", row, case=case) or r.one("w1x", row, case=case)
            if c and "mean" in c:
                rows.append([name(row), number(c["mean"], 6), number(c["amplitude"], 4), percent(c["amplitude"], reference["amplitude"]),
                             number(apart(c, reference), 2)])
        head = ["row", "mean tension N", "amplitude N", "amplitude %", "largest difference, % of the tension"]
        out.append(f"{title}; differences from {name(base)}:\n\n" + table(head, rows))
    own, rows = next(row for row in r.rows("w1") if row[0] == OURS), []
    for row in r.rows("w1"):
        costs = [wet_cost(r, row, case) for case in ("static", "held", "driven")]
        ratios = [cost / wet_cost(r, own, case) for cost, case in zip(costs, ("static", "held", "driven"))]
        rows.append([name(row), *[x for pair in zip(map(number, costs), (number(x, 2) for x in ratios)) for x in pair]])
    out.append("CPU time per simulated second:\n\n" + table(["row", "calm ms", "× ours", "held ms", "× ours", "driven ms", "× ours"], rows))
    rows = []
    for row in r.rows("w1s"):
        found = [r.one("w1s", row, case=case) or {} for case in ("held", "driven")]
        show = lambda c, k: ("≥ " if c[k] >= c["top"] else "< " if c[k] <= 1e-3 else "") + number(1e3 * c[k]) if c.get(k) else "–"
        rows.append([name(row), *[show(c, k) for k in ("holds", "accurate") for c in found]])
    head = ["row", "holds, held", "holds, driven", "within 1 %, held", "within 1 %, driven"]
    out.append("Largest step [ms], by bisection from the step of the row. Holds: mean and amplitude within 5 % of the engine's own at 1 ms; within 1 %: the same with 1 %. "
               "Windlass accepts no step above 200 ms:\n\n" + table(head, rows))
    return "\n".join(out)


CASES = {"sinks": "sphere that sinks", "rises": "light sphere that rises, without drag", "stops": "sphere of 1 g shot at 50 m/s", "broadside": "ellipsoid 3:1 that sinks broadside",
         "disc": "oblate spheroid at 30°, released", "swings": "spheroid 4:1 that swings, no drag", "tumbles": "ellipsoid that tumbles, no drag",
         "pendulum": "pendulum, no drag", "towed": "sphere on an arm in a stream of 3 m/s", "spins": "sphere that spins at 20 rad/s, 5 m/s"}


def bodies(r):
    out, rows_ = [], r.rows("w2")
    for dt in sorted({c["dt"] for c in r.of("w2") if "dt" in c}, reverse=True):
        rows = []
        for case, title in CASES.items():
            for quantity in dict.fromkeys(c["quantity"] for c in r.of("w2", case=case, dt=dt) if "quantity" in c):
                cells, exact = [], math.nan
                for row in rows_:
                    c = r.one("w2", row, case=case, dt=dt, quantity=quantity)
                    value = c["value"] if c else None
                    exact = c["exact"] if c else exact
                    if value is None or not math.isfinite(value):
                        cells.append("diverges")
                    elif not math.isfinite(exact) or exact == 0:
                        cells.append(f"{number(value if abs(value) > 1e-9 else 0.0)} m")
                    elif abs(value / exact - 1) < 5e-7:
                        cells.append("0")
                    else:
                        cells.append(percent(value, exact))
                rows.append([title, quantity, number(exact, 5) if math.isfinite(exact) and exact else "", *cells])
        out.append(f"Steps of {step(dt)}:\n\n" + table(["case", "quantity", "closed form", *map(name, rows_)], rows))
    rows = []
    for row in rows_:
        least = lambda **want: min((c["median"] for c in r.of("w2cost", engine=row[0], setting=row[1], **want)), default=math.nan)
        cells = [least(count=count, wet=wet) for count in (1, 100) for wet in (False, True)]
        rows.append([name(row), *map(number, cells[:2]), number(cells[1] / cells[0], 2), *map(number, cells[2:]), number(cells[3] / cells[2], 2)])
    head = ["row", "1 sphere, dry µs", "wet µs", "wet/dry", "100 spheres, dry µs", "100, wet µs", "100, wet/dry"]
    out.append("A step of sinking spheres, least median of the rounds:\n\n" + table(head, rows))
    return "\n".join(out)


def write_water(told, own):
    from water import Mooring
    r = Results(told)
    least, middle, most = told["load"]
    versions = ", ".join(f"{k} {told['versions'][k]}" for k in ("MuJoCo", "MoorDyn"))
    parts = [
        f"Measured on {told['date']} on {told['cores']} cores of {told['processor']}, {'a quick subset' if told['quick'] else 'all cases'}, one thread each; {versions}.",
        f"**Load average {least:.1f} to {most:.1f}, mostly {middle:.1f}**: the machine was shared, so compare ratios within a table, not times.\n",
        "### W1: a mooring line\n", MOORING, "Calm, after 32 to 48 s:\n", statics(r, Mooring("static").catenary()), waves(r),
        "### W2: bodies in water\n", FLOATING, bodies(r),
        "### Cost of water\n", "`windlass-bench --only water`: wet and dry steps of the same scenes alternate in one run; minima of CPU time. \"Allocations\" counts those of all warm steps.\n",
    ]
    for given in own["sections"].get("water", []):
        title = given["title"].split(": ", 1)[1]
        parts += [f"{title[0].upper()}{title[1:]}.\n", own_table(given), "\n".join(given["notes"]) + "\n"]
    return "\n".join(parts)


def replace(page, marks, numbers):
    begin, end = marks
    before, rest = page.split(begin)
    return f"{before}{begin}\n\n{numbers}\n{end}{rest.split(end)[1]}"


def main():
    results, own, path = sys.argv[1:]
    told, own, page = json.load(open(results)), json.load(open(own)), open(path).read()
    ran = {c["bench"] for c in told["cases"]}
    if "b1" in ran:
        page = replace(page, (BEGIN, END), write(told, own))
    if "w1" in ran:
        page = replace(page, WATER, write_water(told, own))
    with open(path, "w") as out:
        out.write(page)


if __name__ == "__main__":
    main()

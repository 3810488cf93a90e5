"""An episode of an excavator: the same levers in soils of different kinds, and what the bucket has moved."""

import windlass as wl


def site(soil: str) -> wl.Scene:
    scene = wl.Scene(title=f"Dig in {soil}", include=["windlass:excavator.toml"])
    scene.grounds["site"] = {"size": [20, 20], "spacing": "10 cm", "soil": soil, "particle": "18 cm"}
    scene.instances["digger"] = {"prefab": "excavator"}
    scene.instances["driver"] = {"prefab": "excavator_driver"}
    return scene


for soil in ("topsoil", "dry_sand"):
    digger = wl.load(site(soil))
    for seconds, levers in (
        (2.0, {"driver.boom": -0.5}),
        (1.5, {"driver.boom": 0.0, "driver.stick": -0.4}),
        (3.0, {"driver.boom": 0.35, "driver.bucket": 0.6}),
        (2.0, {"driver.stick": 0.0, "driver.boom": 0.5}),
    ):
        for lever, value in levers.items():
            digger[lever] = value
        digger.run(seconds)
    print(f"{soil}: bucket at {digger.bodies['digger.bucket'].position.round(2).tolist()} m after {digger.time:.1f} s")
    assert digger.time > 8

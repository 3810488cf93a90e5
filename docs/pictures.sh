#!/usr/bin/env bash
# Makes the pictures of the book anew, in docs/images. Needs `windlass`, cargo-nextest and povray; some minutes.
# Pictures of the studio come from crates/studio/web: studio-drive and studio-views by PICTURES=FOLDER node tests/pictures.mjs, the
# others by PICTURES=FOLDER node tests/studio.mjs.
# The figures of the studies are written by `windlass study all --markdown docs/quality`.
set -euo pipefail
cd "$(dirname "$0")/.."
images=$PWD/docs/images
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# still NAME SCENE TIME [WxH]: a ray-traced picture
still() {
    windlass export "$2" -o "$work/$1.png" --at "$3" --size "${4:-640x400}"
    cp "$work/$1.png" "$images/$1.png"
}

(cd "$work" && windlass new crane)
still starter_crane "$work/crane.toml" "17 s" 960x540
still mobile_crane scenes/crane/mobile_crane.toml "8 s" 1280x640
still pendulum scenes/cookbook/pendulum.toml 0
still chain scenes/cookbook/chain.toml "1 s"
still crane scenes/cookbook/crane.toml "12 s"
still piston scenes/cookbook/piston.toml "0.2 s"
still gyroscope scenes/cookbook/gyroscope.toml "1 s"
still heavy_load scenes/cookbook/heavy_load.toml "0.5 s"
still cradle scenes/cookbook/cradle.toml "1 s"
still ring_20 scenes/mechanism/ring_chain_20.toml "1.5 s"
still ring_40 scenes/mechanism/ring_chain_40.toml "2 s"
still slider_crank scenes/mechanism/slider_crank.toml "0.3 s"
still four_bar scenes/mechanism/four_bar.toml "0.3 s"
still prosthetic_arm scenes/mechanism/prosthetic_arm.toml "10 s"
still servo_arm scenes/mechanism/servo_arm.toml "2 s"
still models scenes/looks/models.toml "0.5 s" 960x540
still two_cranes scenes/crane/two_cranes.toml "9 s"
still cable-twisted scenes/cable/twisted.toml "10 s" 1280x720
still cable-harness scenes/cable/harness.toml "6 s" 720x405
still cable-knot scenes/cable/knot.toml "6 s" 720x405

windlass export scenes/crane/two_cranes.toml -o "$images/two_cranes.svg" --at "2 s" --size 640x400
windlass export scenes/cable/zipline.toml -o "$images/zipline.svg" --at "10 s" --size 800x450 --no-ground
cargo run --quiet -p windlass-engine --example strobe >"$images/swing.svg"

# what the pages make
WINDLASS_KEEP=$work cargo nextest run -p windlass-cli -E 'test(docs::tutorials_run) or test(docs::the_modelling_guide_runs)'
windlass export "$work/docs/tutorials/tower-crane.md/tower.toml" -o "$images/tower_crane_tutorial.svg" --at 35 --size 800x500 --no-ground
windlass run "$work/docs/tutorials/tower-crane.md/tower.toml" -q --log "$work/tower.csv" --rate "20 Hz"
windlass plot "$work/tower.csv" --y pull,height,reach -o "$images/tower_crane_tutorial_plot.svg" --size 800x500
windlass export "$work/docs/tutorials/lashing.md/lashed.toml" -o "$images/lashing_tutorial.svg" --at 22.5 --size 800x450 --no-ground \
    --set "parameters.roll=25 deg"
windlass export "$work/docs/tutorials/scissor-lift.md/lift.toml" -o "$images/scissor_lift_tutorial.svg" --at 8 --size 700x450 --no-ground
windlass plot "$work/docs/tutorials/parameter-study.md/study.csv" --x ramp --degrees --title "Swing after the ramp" \
    -o "$images/parameter_study_tutorial.svg" --size 700x400
cp "$work/docs/modelling/cookbook.md/crane.svg" "$images/crane_plot.svg"
cp "$work/docs/modelling/cookbook.md/piston.svg" "$images/piston_plot.svg"
cp "$work/docs/modelling/cookbook.md/arm.svg" "$images/prosthetic_arm_plot.svg"
cp "$work/docs/modelling/cookbook.md/cradle.svg" "$images/cradle_plot.svg"

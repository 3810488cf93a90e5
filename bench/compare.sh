#!/bin/bash
# Windlass against the packages of other engines: installs them into a throw-away folder, runs everything in one session in turn,
# and writes the numbers of docs/quality/comparison.md. See README.md.
#
#   bench/compare.sh [--quick] [--water] [--keep FOLDER] [--dry]
#
#   --quick        a subset in some minutes; its numbers mean less
#   --water        the scenes in water alone, against MoorDyn and MuJoCo; the other numbers of the page stay
#   --keep FOLDER  works there, and leaves it: a second run installs and builds nothing anew
#   --dry          prints the page's numbers instead of writing them
set -eu

bench=$(cd "$(dirname "$0")" && pwd)
page=$bench/../docs/quality/comparison.md
folder= quick= dry= water=
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=--quick ;;
    --water) water=yes ;;
    --keep) shift; folder=${1:?--keep needs a folder} ;;
    --dry) dry=yes ;;
    *) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
  shift
done
if [ -z "$folder" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd)
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 RAYON_NUM_THREADS=1

echo "engines from their packages"
[ -x "$folder/venv/bin/python" ] || python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q mujoco==4.0.0 moordyn==2.7.2 numpy scipy
if [ -z "$water" ]; then
  "$folder/venv/bin/pip" install -q drake==1.51.1 exudyn==1.13.6
  if ! [ -e /usr/include/bullet/btBulletDynamicsCommon.h ] || ! [ -e /usr/include/ode/ode.h ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
      apt-get update -q > /dev/null
      apt-get install -y -q libbullet-dev libode-dev > /dev/null
    else
      echo "left out: Bullet and ODE. With libbullet-dev and libode-dev installed they would run, too."
    fi
  fi
  rm -f "$folder/bin/bullet" "$folder/bin/ode"
  if [ -e /usr/include/bullet/btBulletDynamicsCommon.h ]; then
    g++ -O2 -DBT_USE_DOUBLE_PRECISION -I/usr/include/bullet "$bench/engines/bullet.cpp" -o "$folder/bin/bullet" \
      -lBulletDynamics-float64 -lBulletCollision-float64 -lLinearMath-float64
  fi
  if [ -e /usr/include/ode/ode.h ]; then
    g++ -O2 -DdIDEDOUBLE "$bench/engines/ode.cpp" -o "$folder/bin/ode" -lode
  fi
fi

echo "ours"
cargo build --release --quiet --manifest-path "$bench/Cargo.toml"
cp "${CARGO_TARGET_DIR:-$bench/target}/release/windlass-bench" "$folder/bin/"

if [ -n "$water" ]; then
  echo "W1 and W2"
  "$folder/venv/bin/python" "$bench/engines/compare.py" --bin "$folder/bin" --out "$folder/results.json" --only water $quick
  echo "cost of water"
  "$folder/bin/windlass-bench" --only water --json "$folder/own.json" $quick
else
  echo "B1 to B5, W1 and W2"
  "$folder/venv/bin/python" "$bench/engines/compare.py" --bin "$folder/bin" --out "$folder/results.json" $quick
  echo "piles, cranes and cost of water"
  "$folder/bin/windlass-bench" --only contact --only crane --only water --json "$folder/own.json" $quick
fi

if [ -n "$dry" ]; then
  cp "$page" "$folder/comparison.md"
  page=$folder/comparison.md
fi
"$folder/venv/bin/python" "$bench/engines/report.py" "$folder/results.json" "$folder/own.json" "$page"
if [ -n "$dry" ]; then
  sed -n '/<!-- numbers/,/<!-- end of numbers/p' "$page"
fi

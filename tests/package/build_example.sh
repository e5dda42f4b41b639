#!/usr/bin/env bash
# build_example.sh installed|subdirectory SOURCE_DIR BUILD_DIR WORK_DIR
set -euo pipefail
way=$1 source_dir=$2 build_dir=$3 work_dir=$4

rm -rf "$work_dir"
mkdir -p "$work_dir"
if [ "$way" = installed ]; then
  cmake --install "$build_dir" --prefix "$work_dir/prefix" >"$work_dir/install.log"
  where=(-DCMAKE_PREFIX_PATH="$work_dir/prefix")
else
  where=(-DTACTUS_SOURCE_DIR="$source_dir")
fi
cmake -S "$source_dir/examples/solve_contacts" -B "$work_dir/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "${where[@]}"
cmake --build "$work_dir/build"
"$work_dir/build/solve_contacts" | tee "$work_dir/output"

# Coulomb: 0.5 N is below μ m g = 0.981 N, the cube rests; 2 N leaves (2 - 0.981) N / 0.2 kg · 1 ms = 5.095 mm/s.
grep -q 'push 0.5 N: .* speed -\?0.0000 mm/s; table carries 1.962 N' "$work_dir/output"
grep -q 'push 2.0 N: .* speed 5.0950 mm/s; table carries 1.962 N' "$work_dir/output"

#!/usr/bin/env bash
# build_strict_user.sh SOURCE_DIR BUILD_DIR WORK_DIR: -O3 -Wall -Wextra -Werror against the installed package
set -euo pipefail
source_dir=$1 build_dir=$2 work_dir=$3

rm -rf "$work_dir"
mkdir -p "$work_dir"
cmake --install "$build_dir" --prefix "$work_dir/prefix" >"$work_dir/install.log"
cmake -S "$source_dir/tests/package/strict_user" -B "$work_dir/build" -G Ninja -DCMAKE_PREFIX_PATH="$work_dir/prefix"
cmake --build "$work_dir/build"

for level in O0 O3; do "$work_dir/build/friction_$level" >"$work_dir/$level"; done
cat "$work_dir/O0"
grep -q 'outcome 0' "$work_dir/O0"
cmp "$work_dir/O0" "$work_dir/O3"

# What a user's own code is compiled with is the user's affair, but for what equal bits need (docs/determinism.md).
options=$(grep -h INTERFACE_COMPILE_OPTIONS "$work_dir"/prefix/lib/cmake/tactus/tactusTargets.cmake)
[ "$(tr -d ' ' <<<"$options")" = 'INTERFACE_COMPILE_OPTIONS"-ffp-contract=off;-fno-math-errno"' ] ||
  { echo "unexpected options for every user: $options"; exit 1; }

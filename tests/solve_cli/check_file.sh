#!/usr/bin/env bash
# check_file.sh TACTUS PYTHON SOURCE_FOLDER FILE "SOLVE ARGS" "CHECK ARGS": solves tests/data/FILE.jsonl and checks every answer.
set -eu
tactus=$1 python=$2 source=$3 problems=$3/tests/data/$4.jsonl
read -ra solve_args <<<"${5//;/ }"
read -ra check_args <<<"${6//;/ }"
solutions=$(mktemp)
trap 'rm -f "$solutions"' EXIT
"$tactus" solve ${solve_args[@]+"${solve_args[@]}"} "$problems" >"$solutions" || [[ $? == 1 ]]  # 1: jams are an answer
"$python" "$source/tests/support/check_solutions.py" "$problems" "$solutions" "${check_args[@]}"

#!/usr/bin/env bash
# Counts the instructions that a piece of work costs a record: tools/callgrind.sh [work...]
# Without names: the record filter and the resource filter. The figures are the same in every run of one build, whatever
# the machine does besides. Each is the difference between 20 and 10 runs, so that start and end of the program are not in it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=10 records=1000
[[ $# -gt 0 ]] || set -- record_filter resource_filter

cargo build --release --quiet --package watershed-benches --bin watershed-benches
program=${CARGO_TARGET_DIR:-target}/release/watershed-benches

# Instructions of the program with these arguments.
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" repeat "$@" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

for work in "$@"; do
  for payload in lean rich; do
    for side in ours hand-written baseline; do
      once=$(count "$work" "$payload" "$side" "$runs")
      twice=$(count "$work" "$payload" "$side" "$((2 * runs))")
      printf '{"work":"%s","payload":"%s","side":"%s","instructions_per_record":%d}\n' \
        "$work" "$payload" "$side" "$(((twice - once) / runs / records))"
    done
  done
done

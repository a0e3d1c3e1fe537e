#!/usr/bin/env bash
# Fuzzes a target of `fuzz` for a number of seconds: tools/fuzz.sh parse 3600
# Needs a nightly compiler and cargo-fuzz. What stands behind the seconds goes to libFuzzer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ $# -lt 2 ]]; then
  printf 'usage: %s <target> <seconds> [options of libFuzzer]\n' "$0" >&2
  exit 2
fi
target=$1 seconds=$2
shift 2

corpus="fuzz/corpus/$target"
cargo run --locked --quiet --package watershed-fuzz --example seeds -- "$target" "$corpus"
case $target in
  parse | expression | program | tokens | format) dictionary=flow ;;
  topology) dictionary=otlp ;;
  *) dictionary=$target ;;
esac
exec cargo +nightly fuzz run --features libfuzzer "$target" "$corpus" -- \
  -dict="fuzz/dictionaries/$dictionary.dict" -max_total_time="$seconds" -max_len=4096 -timeout=20 "$@"

#!/usr/bin/env bash
# Installs what the tests need (tools/setup.sh), then runs every check and every test. The quick checks come first.
# A piece that is missing fails here; a bare `cargo test` skips the tests that need it and says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
  printf '\n== %s\n' "$*"
  "$@"
}

step ./tools/setup.sh
# Missing servers or clients are failures from here on, and no snapshot is accepted silently.
export CI=true INSTA_UPDATE=no

step cargo fmt --all --check
step cargo clippy --locked --workspace --all-targets -- -D warnings
step cargo run --locked --quiet --package watershed-cli -- check examples --deny warnings
step cargo run --locked --quiet --package watershed-cli -- fmt --check examples
step cargo run --locked --quiet --package watershed-cli -- build examples/nats-split/split.flow --out examples/nats-split/generated --check
step cargo test --locked --workspace --doc
if cargo nextest --version >/dev/null 2>&1; then
  step cargo nextest run --locked --workspace --no-fail-fast
else
  printf '\ncargo-nextest is not installed; using cargo test\n'
  step cargo test --locked --workspace --lib --bins --tests --no-fail-fast
fi

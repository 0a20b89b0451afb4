#!/usr/bin/env bash
# Builds envs/gyms/generated/material.js, the script of generated apps of the family `material`, of the sources in
# envs/gyms/generated/material/ and the packages that package-lock.json names. Needs Node.js 20.11 and npm.
#
#     scripts/bundle_material.sh
#
# Run it after each change of the sources and commit what it writes: users need no npm. Packages are kept in
# .setup/material, and installed anew when the lock file has changed.
set -euo pipefail
cd "$(dirname "$0")/.."
sources=envs/gyms/generated/material build=.setup/material

mkdir -p "$build"
find "$build" -maxdepth 1 -type f -delete
cp "$sources"/* "$build"
if ! cmp -s "$build/package-lock.json" "$build/node_modules/installed.json"; then
  npm ci --prefix "$build" --ignore-scripts --no-audit --no-fund
  cp "$build/package-lock.json" "$build/node_modules/installed.json"
fi
hash=$(.venv/bin/python -c 'from envs.gyms.generated.page_script import hash_sources; print(hash_sources())')
node "$build/build.mjs" "$PWD/envs/gyms/generated/material.js" "$hash"
wc -c envs/gyms/generated/material.js

#!/usr/bin/env bash
# Installs VS Code as code-server, from npm and Debian alone, where desktops see it: docs/howto/vscode.md.
#
#   sudo scripts/vscode/install.sh
#
# Needs Node 20 with its headers (/usr/include/node, or NODE_HEADERS) and a compiler. A second call does nothing.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
version=4.100.3
prefix="${CODE_SERVER_PREFIX:-/usr/local/lib/code-server}"
headers="${NODE_HEADERS:-/usr}"

stop() { printf '[vscode] %s\n' "$*" >&2; exit 1; }
say() { printf '[vscode] %s\n' "$*"; }

[ "$(id -u)" = 0 ] || stop "as root: desktops see programs of the system only"
[ ! -e "$prefix/$version.done" ] || { say "code-server $version is in $prefix"; exit; }
command -v npm >/dev/null || stop "npm is missing"
node --version | grep -q '^v20\.' || stop "code-server $version runs on Node 20, not on $(node --version 2>/dev/null || echo none)"
[ -e "$headers/include/node/node.h" ] || stop "no headers of Node in $headers/include/node: set NODE_HEADERS"
command -v rg >/dev/null || apt-get install -y -qq --no-install-recommends ripgrep

# No script of a package runs: that of @vscode/ripgrep downloads a binary from github.com, and ends the installation
# where that cannot be reached. Debian's takes its place, and what has to be compiled is compiled by name.
install() { npm install --ignore-scripts --no-audit --no-fund --loglevel error "$@"; }
# `yes`: node-gyp itself comes by npx, which would ask.
compile() { npm_config_yes=true npm rebuild --nodedir="$headers" --loglevel error "$@"; }

rm -rf "$prefix" && mkdir -p "$prefix" && cd "$prefix"
say "installing code-server $version in $prefix (minutes)"
echo '{}' >package.json
install "code-server@$version"
compile argon2 --build-from-source
cd node_modules/code-server/lib/vscode
install --omit=dev
compile node-pty @vscode/spdlog
mkdir -p node_modules/@vscode/ripgrep/bin
ln -s "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
ln -s node_modules node_modules.asar
ln -s code-server-linux.sh bin/remote-cli/code-server
(cd extensions && install --omit=dev)
cp "$here/code" /usr/local/bin/code && chmod 755 /usr/local/bin/code
touch "$prefix/$version.done"
say "ready: code"

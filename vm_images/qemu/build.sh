#!/usr/bin/env bash
# Builds a machine's disk from Debian packages; kernel and initrd go beside it for direct boot:
# OUT.qcow2, OUT.vmlinuz, OUT.initrd. Needs root, debootstrap, e2fsprogs and qemu-utils.
#
#   build.sh [--packages FILE] [--tree DIR] OUT.qcow2
#
#   --packages FILE   Debian packages, one a line (default: ../desktop/packages.txt)
#   --tree DIR        keeps the root file system in DIR and reuses it in the next call: only
#                     Deskhand's code is renewed then. Without it the tree is temporary.
#
# Environment: PYTHON (a Python 3.11 with pip), DEBIAN_MIRROR (an URL without /debian; default: where
# this machine's apt gets Debian 12 from). Extra CA certificates are taken from ../ca/*.crt. No token is
# in the image: a machine gets its own at boot.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"

stop() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }
say() { printf '[%4ds] %s\n' "$SECONDS" "$*" >&2; }

packages="$here/../desktop/packages.txt" tree="" out=""
while [ $# -gt 0 ]; do
  case "$1" in
    --packages) packages="${2:?--packages wants a file}"; shift 2 ;;
    --tree) tree="${2:?--tree wants a directory}"; shift 2 ;;
    -*) stop "unknown option $1" ;;
    *) out="$1"; shift ;;
  esac
done
[ -n "$out" ] || stop "usage: build.sh [--packages FILE] [--tree DIR] OUT.qcow2"
[ -r "$packages" ] || stop "no such file: $packages"
[ "$(id -u)" = 0 ] || stop "needs root"
for tool in debootstrap mke2fs qemu-img setpriv unshare; do
  command -v "$tool" >/dev/null || stop "$tool is missing (debootstrap, e2fsprogs, qemu-utils, util-linux)"
done
if [ -z "${DEBIAN_MIRROR:-}" ]; then
  site="$(apt-get indextargets --format '$(SITE) $(RELEASE)' 2>/dev/null | awk '$2 == "bookworm" {print $1; exit}')"
  [ -n "$site" ] || stop "this machine's apt has no Debian 12: set DEBIAN_MIRROR"
  DEBIAN_MIRROR="${site%/debian}"
fi
export DEBIAN_MIRROR
python="${PYTHON:-$root/.venv/bin/python}"
[ "$("$python" -c 'import sys; print(*sys.version_info[:2], sep=".")')" = 3.11 ] || stop "PYTHON must be a Python 3.11, as in Debian 12"

mkdir -p "$(dirname "$out")"
out="$(realpath "${out%.qcow2}")"
work="$(mktemp -d "$(dirname "$out")/.build-XXXXXX")"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
tree="$(realpath -m "${tree:-$work/tree}")"
mkdir -p "$(dirname "$tree")"
exec 9>"$tree.lock"
flock 9

# What Deskhand's `envs` imports: the project's requirements less those of its server.
requirements() {
  "$python" - "$root/pyproject.toml" <<'EOF'
import re, sys, tomllib
server = "alembic celery docker fastapi-offline fsspec httpx matplotlib prometheus-client rich sqlmodel sse-starlette tokenizers typer"
for line in tomllib.load(open(sys.argv[1], "rb"))["project"]["dependencies"]:
    if re.match(r"[\w-]+", line)[0] not in server.split():
        print(line)
EOF
}

# Namespaces that end with this script, even when it is killed: nothing goes on in them.
run_enclosed() { setpriv --pdeathsig KILL unshare --mount --propagation private --pid --fork --kill-child "$@"; }

make_tree() {
  say "collecting wheels"
  PYTHON="$python" "$here/../wheels.sh" app
  requirements >"$work/requirements.txt"
  say "installing Debian packages"
  rm -rf "$tree" "$tree.part"
  run_enclosed \
    "$here/rootfs.sh" "$tree.part" "$packages" "$here/../wheels/app" "$work/requirements.txt" >"$work/log" 2>&1 \
    || { tail -n 30 "$work/log" >&2; rm -rf "$tree.part"; stop "the root file system could not be made"; }
  mv "$tree.part" "$tree"
}

[ -e "$tree" ] || make_tree

say "copying Deskhand"
code="$tree/opt/deskhand/src/envs"
rm -rf "$code"
mkdir -p "$code"
# What goes into boxes, by name, as the Dockerfile has it (envs/providers/inside.py).
for name in __init__.py contract io state browser desktop apps osworld/__init__.py osworld/format osworld/inside host; do
  tar -C "$root/envs" --exclude=__pycache__ --owner=0 --group=0 -c "$name" | tar -C "$code" -x
done
chroot "$tree" /opt/deskhand/bin/python -m compileall -q /opt/deskhand/src/envs

say "making the home folder that tasks start from"
# As `user`, so that its programs make it as they would; in namespaces, so that none stays behind.
rm -rf "$tree"/opt/deskhand/{home,making}
install -d -o 1000 -g 1000 "$tree/opt/deskhand/making"
run_enclosed --mount-proc="$tree/proc" \
  chroot --userspec=1000:1000 "$tree" env -i PATH=/usr/bin:/bin HOME=/tmp PYTHONPATH=/opt/deskhand/src \
  /opt/deskhand/bin/python -m envs.desktop.profiles.pristine /opt/deskhand/making/home
mv "$tree/opt/deskhand/making/home" "$tree/opt/deskhand/home"
rmdir "$tree/opt/deskhand/making"
chown -R 0:0 "$tree/opt/deskhand/home"
chmod -R a+rX "$tree/opt/deskhand/home"

say "writing the disk"
size_mb=$(($(du -sm "$tree" | cut -f1) * 5 / 4 + 2048))
mke2fs -q -t ext4 -m 0 -E lazy_itable_init=1 -d "$tree" "$work/disk.raw" "${size_mb}M" >/dev/null
qemu-img convert -f raw -O qcow2 "$work/disk.raw" "$work/disk.qcow2"
cp "$tree"/boot/vmlinuz-* "$work/vmlinuz"
cp "$tree"/boot/initrd.img-* "$work/initrd"
chmod 644 "$work"/{vmlinuz,initrd,disk.qcow2}
mv "$work/vmlinuz" "$out.vmlinuz"
mv "$work/initrd" "$out.initrd"
mv "$work/disk.qcow2" "$out.qcow2"
say "done: $out.qcow2"

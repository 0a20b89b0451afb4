#!/usr/bin/env bash
# Makes the root file system of a machine, all but Deskhand's own code. Run as root in mount and
# process namespaces of its own (build.sh does that), so what it mounts or starts ends with it.
#
#   rootfs.sh TREE PACKAGES WHEELHOUSE REQUIREMENTS
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
tree="$1" packages="$2" wheelhouse="$3" requirements="$4"
mirror="${DEBIAN_MIRROR:?}"
system=(linux-image-cloud-amd64 initramfs-tools zstd iproute2 kmod procps ca-certificates python3.11-venv)

run_in_tree() { DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$tree" "$@"; }
place() { install -D -m "$1" /dev/stdin "$tree/$2"; }

debootstrap --variant=minbase bookworm "$tree" "$mirror/debian"
mount -t proc proc "$tree/proc"

place 644 etc/apt/sources.list <<EOF
deb $mirror/debian bookworm main
deb $mirror/debian bookworm-updates main
deb $mirror/debian-security bookworm-security main
EOF
printf 'exit 101\n' | place 755 usr/sbin/policy-rc.d
printf 'path-exclude /usr/share/%s/*\n' doc man help | place 644 etc/dpkg/dpkg.cfg.d/lean
# Two modules are all that a machine's root disk needs; a small initrd is also read faster.
printf 'virtio_pci\nvirtio_blk\n' | place 644 etc/initramfs-tools/modules
printf 'MODULES=list\n' | place 644 etc/initramfs-tools/conf.d/deskhand
cp /etc/resolv.conf "$tree/etc/resolv.conf"

run_in_tree apt-get -q update
run_in_tree apt-get -q install -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io \
  "${system[@]}" $(sed 's/#.*//' "$packages")

[ ! -d "$here/../ca" ] || find "$here/../ca" -name '*.crt' -exec cp {} "$tree/usr/local/share/ca-certificates/" \;
run_in_tree update-ca-certificates

run_in_tree useradd --uid 1000 --no-create-home --shell /bin/bash user
# Empty, without the files of /etc/skel: the host fills it, and refuses a home that is somebody's.
run_in_tree install -d -o user -g user -m 700 /home/user
run_in_tree python3.11 -m venv /opt/deskhand
mkdir "$tree/wheels"
mount --bind "$wheelhouse" "$tree/wheels"
cp "$requirements" "$tree/tmp/requirements.txt"
run_in_tree /opt/deskhand/bin/python -m pip install -q --no-cache-dir --no-index --find-links /wheels -r /tmp/requirements.txt
install -m 755 "$here/init" "$tree/sbin/deskhand-init"

umount "$tree/proc" "$tree/wheels"
run_in_tree apt-get clean
rm -rf "$tree"/wheels "$tree"/tmp/* "$tree"/var/lib/apt/lists/* "$tree"/usr/sbin/policy-rc.d "$tree"/etc/resolv.conf
: >"$tree/etc/machine-id"

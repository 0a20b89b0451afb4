"""The same image without what protects: attempts run as root and in place of the init, and QEMU
offers a network that leads out, files over TFTP and a serial port. They work there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from envs.io.child_process import die_with_parent
from envs.providers.qemu_process import ACCELERATORS, BARE, KERNEL_LINE, Accelerator, QemuConfig
from tests.envs.providers.escape_attempts import RUNNER

TIMEOUT_S = 400.0
DISK_MB = 16
CONTROL = """
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
mount -t tmpfs tmpfs /tmp
modprobe -a virtio_net qemu_fw_cfg
mount -t debugfs none /sys/kernel/debug
ip link set lo up
ip address add 10.0.2.15/24 dev eth0
ip link set eth0 up
ip route add default via 10.0.2.2
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  ip -6 address show dev eth0 | grep -v tentative | grep -q fec0 && break
  sleep 1
done
cd /mnt && timeout 300 /usr/bin/python3 runner.py attempts.json answers.json
sync
umount /mnt || mount -o remount,ro /mnt
echo o > /proc/sysrq-trigger
sleep 60
"""


def run_weak_machine(
    config: QemuConfig, accelerator: Accelerator, attempts: dict[str, str], folder: Path, tftp: Path
) -> dict[str, str]:
    """Outputs of the attempts, by root of a machine that is offered everything."""
    content, disk = folder / "content", folder / "control.raw"
    content.mkdir()
    (content / "control").write_text(CONTROL)
    (content / "runner.py").write_text(RUNNER)
    (content / "attempts.json").write_text(json.dumps(attempts))
    subprocess.run(
        ["mke2fs", "-q", "-t", "ext4", "-d", content, disk, f"{DISK_MB}M"], check=True, timeout=60
    )
    line = KERNEL_LINE.replace("init=/sbin/deskhand-init", "init=/bin/bash")
    line += ' -- -c "mount /dev/vdb /mnt && . /mnt/control"'
    command = [
        config.binary, *BARE.split(), *ACCELERATORS[accelerator],
        "-smp", "2", "-m", "1024M",
        "-kernel", config.kernel, "-initrd", config.initrd, "-append", line,
        "-serial", f"file:{folder}/console",
        "-drive", f"file={config.image},if=virtio,format=qcow2,snapshot=on",
        "-drive", f"file={disk},if=virtio,format=raw",
        "-fw_cfg", "name=opt/deskhand/token-sha256,string=none",
        "-netdev", f"user,id=net,tftp={tftp}",
        "-device", "virtio-net-pci,netdev=net,romfile=",
        "-device", "virtio-serial-pci",
        "-object", "memory-backend-ram,id=shared,size=1M,share=on",
        "-device", "ivshmem-plain,memdev=shared",
        "-fsdev", f"local,id=shared-folder,path={tftp},security_model=none,readonly=on",
        "-device", "virtio-9p-pci,fsdev=shared-folder,mount_tag=machine",
    ]  # fmt: skip
    subprocess.run(
        command, check=True, timeout=TIMEOUT_S, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent
    )
    read = subprocess.run(
        ["debugfs", "-R", "cat /answers.json", disk], capture_output=True, timeout=60, check=True
    )
    assert read.stdout, (folder / "console").read_text(errors="replace")[-2000:]
    outputs: dict[str, str] = json.loads(read.stdout)
    return outputs

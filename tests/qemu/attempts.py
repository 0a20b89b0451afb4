"""What a program of a QEMU machine may try beside the attempts of every box: at the machine that
runs QEMU, through its user network and the devices it offers; and at the root of its own system.

Each is a Python source that prints `reached` where it got through; a weak machine shows that.
"""

from __future__ import annotations

from tests.envs.providers.escape_attempts import Attempt

GATEWAY, NAME_SERVER = "10.0.2.2", "10.0.2.3"
"""Of QEMU's user network: the first stands for the loopback of the machine that runs QEMU."""
GATEWAY_V6 = "fec0::2"


def _reads(path: str) -> str:
    return f"print('reached' if open({path!r}, 'rb', 0).read(1) else '')"


def _opens_to_write(path: str) -> str:
    return f"import os; os.close(os.open({path!r}, os.O_WRONLY | os.O_NOCTTY)); print('reached')"


def _plants(folder: str) -> str:
    return f"""
import os
path = "{folder}/deskhand-planted"
open(path, "w").close()
os.unlink(path)
print("reached")
"""


def _stream(family: str, host: str, port: str) -> str:
    return f"""
import socket
with socket.socket(socket.{family}) as link:
    link.settimeout(5)
    link.connect(({host!r}, {port}))
    link.send(b"x")
    print("reached" if link.recv(9) else "")
"""


def _datagram(family: str, host: str, port: str, payload: str = "b'x'") -> str:
    return f"""
import socket
with socket.socket(socket.{family}, socket.SOCK_DGRAM) as link:
    link.settimeout(5)
    link.sendto({payload}, ({host!r}, {port}))
    print("reached" if link.recv(512) else "")
"""


def _virtio(numbers: str, what: str) -> str:
    return f'''
"""{what}"""
import glob
for path in glob.glob("/sys/bus/virtio/devices/*/device"):
    if int(open(path).read(), 16) in {numbers}:
        print("reached", path)
'''


NETWORK = [
    Attempt("a TCP port of the machine through the gateway", _stream("AF_INET", GATEWAY, "{port}")),
    Attempt("a UDP port of the machine through the gateway", _datagram("AF_INET", GATEWAY, "{udp}")),
    Attempt("a TCP port of the machine through the IPv6 gateway", _stream("AF_INET6", GATEWAY_V6, "{port6}")),
    Attempt("a UDP port of the machine through the IPv6 gateway", _datagram("AF_INET6", GATEWAY_V6, "{udp6}")),
    Attempt("a name of the outside", _datagram(
        "AF_INET", NAME_SERVER, "53", r"b'\0\1\1\0\0\1\0\0\0\0\0\0\7outside\7example\0\0\1\0\1'"
    )),
    Attempt("a file of the machine over TFTP", """
import socket
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
    link.settimeout(5)
    link.sendto(b"\\0\\1/" + {secret_name!r}.encode() + b"\\0octet\\0", ("10.0.2.2", 69))
    print("reached" if b"secret" in link.recv(512) else "")
"""),
    Attempt("set an address of the network card", """
import fcntl, socket, struct
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
    fcntl.ioctl(link, 0x8922, struct.pack("16si12x", b"eth0", 1400))
print("reached")
"""),
    Attempt("hear the network card's packets", """
import socket
socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)).close()
print("reached")
"""),
    Attempt("take the port of the host", """
import socket
with socket.socket() as link:
    link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    link.bind(("0.0.0.0", 8200))
    link.listen()
print("reached")
"""),
]  # fmt: skip

DEVICES = [
    Attempt("a port of QEMU's monitor or guest agent", _virtio("(3, 11)", "consoles and serial ports")),
    Attempt("a folder that the machine shares", _virtio("(9, 26)", "9p and virtio-fs")),
    Attempt("a socket or memory that the machine shares", """
import glob
for path in glob.glob("/sys/bus/pci/devices/*"):
    if open(path + "/vendor").read().strip() == "0x1af4" and open(path + "/device").read().strip() in ("0x1110", "0x1053", "0x1012"):
        print("reached", path)
"""),
    Attempt("read the disk", _reads("/dev/vda")),
    Attempt("write to the disk", _opens_to_write("/dev/vda")),
    Attempt("read the physical memory", _reads("/dev/mem")),
    Attempt("ask for ports of the machine's devices", """
import ctypes
print("reached" if ctypes.CDLL(None).ioperm(0x505, 1, 1) == 0 else "")
"""),
    Attempt("read what QEMU was told for this machine", """
import glob
for path in glob.glob("/sys/firmware/qemu_fw_cfg/by_*/**/raw", recursive=True):
    try:
        print("reached" if open(path, "rb", 0).read(1) else "", path)
    except OSError:
        pass
"""),
    Attempt("write to the serial console", _opens_to_write("/dev/ttyS0")),
    Attempt("write to the console", _opens_to_write("/dev/console")),
    Attempt("read the kernel's messages", """
import os
print("reached" if os.read(os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK), 8192) else "")
"""),
    Attempt("type on the machine's keyboard", """
import os
for name in ("/dev/uinput", "/dev/input/event0", "/dev/tty1", "/dev/vcs"):
    try:
        os.close(os.open(name, os.O_RDWR | os.O_NOCTTY))
        print("reached", name)
    except OSError:
        pass
"""),
    Attempt("write to any device", """
import os, stat
harmless = {{"null", "zero", "full", "random", "urandom", "tty", "ptmx"}}
for folder, below, names in os.walk("/dev"):
    below[:] = [name for name in below if name not in ("pts", "shm", "mqueue")]
    for name in set(names) - harmless:
        path = os.path.join(folder, name)
        mode = os.lstat(path).st_mode
        if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and os.access(path, os.W_OK):
            print("reached", path)
"""),
]  # fmt: skip

SYSTEM = [
    Attempt("read the environment of the first process", _reads("/proc/1/environ")),
    Attempt("list the folder of root", "import os; os.listdir('/root'); print('reached')"),
    Attempt("replace the init", _opens_to_write("/sbin/deskhand-init")),
    Attempt("write into the host's code", _plants("/opt/deskhand/src/envs")),
    Attempt("write into the host's Python", _plants("/opt/deskhand/bin")),
    Attempt("write into the home that tasks start from", _plants("/opt/deskhand/home")),
    Attempt("add a library to every program", _plants("/etc")),
    Attempt("write to the password file", _opens_to_write("/etc/passwd")),
    Attempt("write to the kernel that boots", _plants("/boot")),
    Attempt("set the clock", """
import time
time.clock_settime(time.CLOCK_REALTIME, time.time())
print("reached")
"""),
    Attempt("take more of the processor", "import os; os.setpriority(os.PRIO_PROCESS, 0, -5); print('reached')"),
    Attempt("have the kernel load a module", """
import os, subprocess
subprocess.run(["/sbin/modprobe", "dummy"], check=True)
print("reached" if "dummy " in open("/proc/modules").read() else "")
"""),
    Attempt("have the kernel load a module for a socket", """
import socket
before = open("/proc/modules").read()
for family, kind, protocol in ((30, 5, 0), (40, 1, 0), (2, 1, 132), (2, 2, 136), (21, 5, 0), (29, 3, 1), (2, 1, 33), (16, 3, 21)):
    try:
        socket.socket(family, kind, protocol).close()
    except OSError:
        pass
names = {{line.split()[0] for line in open("/proc/modules")}} - {{line.split()[0] for line in before.splitlines()}}
print("reached" if names else "", names)
"""),
    Attempt("write any file of /sys", """
import os
for folder, below, names in os.walk("/sys"):
    for name in names:
        path = os.path.join(folder, name)
        if os.access(path, os.W_OK):
            print("reached", path)
            raise SystemExit
"""),
    Attempt("debug or trace the kernel", """
import os
for path in ("/sys/kernel/debug", "/sys/kernel/tracing", "/sys/fs/bpf"):
    try:
        print("reached" if os.listdir(path) else "", path)
    except OSError:
        pass
"""),
    Attempt("signal a process of root", """
import glob, os
for path in glob.glob("/proc/[0-9]*"):
    try:
        if os.stat(path).st_uid == 0 and int(path[6:]) != os.getpid():
            os.kill(int(path[6:]), 0)
            print("reached", open(path + "/comm").read())
            break
    except OSError:
        pass
"""),
    Attempt("see the programs of root's init", """
import glob
for path in glob.glob("/proc/[0-9]*/comm"):
    if "kthreadd" in open(path).read():
        print("reached", path)
"""),
    Attempt("restart the machine's system", """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
# What "disable Ctrl-Alt-Del" asks for harms nothing, and needs the right to restart.
print("reached" if libc.reboot(0) == 0 else "")
"""),
]  # fmt: skip

ATTEMPTS = [*NETWORK, *DEVICES, *SYSTEM]

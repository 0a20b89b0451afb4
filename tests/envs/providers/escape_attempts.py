"""What a program in a bubblewrap box may try against the machine, other programs and its host.

Each is a Python source that prints `reached` where it got through. Names in braces are filled in
with what the test has put on the machine. `VICTIM` is a process: the host of the box, or without a
box one that was started to be attacked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

REACHED = "reached"
Control = Literal["user", "root", "namespaces", "none"]
"""Who shows without a box that the attempt works: whoever runs the tests; root alone; root of its
own namespaces; nobody, since it would harm the machine or needs what not every machine has."""

_CALL = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *arguments):
    return libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
"""
_STATE = """
import os, signal, time
def state(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0]
    except OSError:
        return "gone"
victim = int(os.environ["VICTIM"])
"""


@dataclass(frozen=True)
class Attempt:
    """`source` prints REACHED where it succeeds."""

    name: str
    source: str
    control: Control = "user"


def _connects(family: str, address: str, kind: str = "SOCK_STREAM") -> str:
    return f"""
import socket
with socket.socket(socket.{family}, socket.{kind}) as link:
    link.settimeout(5)
    link.connect({address})
    link.send(b"x")
    print("reached" if link.recv(9) else "")
"""


def _opens(path: str, mode: str) -> str:
    return f"open({path!r}, {mode!r}).close(); print('reached')"


def _plants(folder: str) -> str:
    return f"""
import os
open("{folder}/deskhand-planted", "w").close()
os.unlink("{folder}/deskhand-planted")
print("reached")
"""


def _makes_socket(family: str, protocol: int) -> str:
    return f"""
import socket
socket.socket(socket.{family}, socket.SOCK_RAW, {protocol}).close()
print("reached")
"""


def _signal_ends(name: str, states: str) -> str:
    source = f"""{_STATE}
os.kill(victim, signal.{name})
until = time.monotonic() + 2
while time.monotonic() < until:
    if state(victim) in {states!r}:
        print("reached")
        break
    time.sleep(0.02)
"""
    return source.replace("{", "{{").replace("}", "}}")


FILES = [
    Attempt("read a file of the machine", "print('reached' if open({secret!r}).read() else '')"),
    Attempt("find a file of the machine by its name", """
import collections, os
folders = collections.deque(
    ["/tmp", "/home", "/root", "/var", "/mnt", "/run", "/srv", "/dev/shm"]
)
while folders:  # level by level: folders of images and profiles are deep, and take a minute
    try:
        entries = list(os.scandir(folders.popleft()))
    except OSError:
        continue
    if any(entry.name == {secret_name!r} for entry in entries):
        print("reached")
        break
    folders.extend(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
"""),
    Attempt("follow a link out of the home folder", """
import os
os.symlink({secret!r}, "way-out")
try:
    print("reached" if open("way-out").read() else "")
finally:
    os.unlink("way-out")
"""),
    Attempt("read a file through the root of a process", """
import os
print("reached" if open(f"/proc/{{os.environ['VICTIM']}}/root{secret}").read() else "")
"""),
    Attempt("read a file through an inherited folder", """
import os
for fd in range(3, 64):
    try:
        with open(os.open({secret!r}.lstrip("/"), os.O_RDONLY, dir_fd=fd)) as file:
            print("reached" if file.read() else "")
    except OSError:
        continue
""", "none"),
    Attempt("write into /usr", _plants("/usr"), "root"),
    Attempt("write into /", _plants(""), "root"),
    Attempt("write into the code that runs", "import os; print('reached' if os.access({package!r}, os.W_OK) else '')"),
    Attempt("read the machine's name", "import socket; print('reached' if socket.gethostname() == {hostname!r} else '')"),
    Attempt("read the password hashes", _opens("/etc/shadow", "r"), "root"),
]  # fmt: skip

PROCESSES = [
    Attempt("see a process of the machine", """
import glob
for path in glob.glob("/proc/[0-9]*/cmdline"):
    try:
        if {marker!r}.encode() in open(path, "rb").read().split(b"\\0"):
            print("reached")
    except OSError:
        pass
"""),
    Attempt("read the environment of a process of the machine", """
import glob
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        if b"MARKER=" + {marker!r}.encode() in open(path, "rb").read():
            print("reached")
    except OSError:
        pass
"""),
    Attempt("signal a process of the machine", "import os; os.kill({sleeper}, 0); print('reached')"),
    Attempt("read the environment of the host", """
import os
print("reached" if open(f"/proc/{{os.environ['VICTIM']}}/environ", "rb").read() else "")
"""),
    Attempt("read the memory of the host", """
import os
pid = os.environ["VICTIM"]
start = int(open(f"/proc/{{pid}}/maps").readline().split("-")[0], 16)
with open(f"/proc/{{pid}}/mem", "rb") as memory:
    memory.seek(start)
    print("reached" if memory.read(16) else "")
"""),
    Attempt("read the memory of the host by process_vm_readv", _CALL + """
import platform
libc.process_vm_readv.restype = ctypes.c_long
pid = int(os.environ["VICTIM"])
number = {{"x86_64": 310, "aarch64": 270}}[platform.machine()]
try:
    start = int(open(f"/proc/{{pid}}/maps").readline().split("-")[0], 16)
except OSError:
    start = 4096
here = ctypes.create_string_buffer(16)
local = (ctypes.c_size_t * 2)(ctypes.addressof(here), 16)
remote = (ctypes.c_size_t * 2)(start, 16)
print("reached" if call(number, pid, ctypes.addressof(local), 1, ctypes.addressof(remote), 1, 0) > 0 else "")
"""),
    Attempt("read the open files of the host", """
import os
print("reached" if os.readlink(f"/proc/{{os.environ['VICTIM']}}/fd/0") else "")
"""),
    Attempt("trace the host", _CALL + """
import platform
number = {{"x86_64": 101, "aarch64": 117}}[platform.machine()]
print("reached" if call(number, 16, int(os.environ["VICTIM"]), 0, 0) == 0 else "")
"""),
    Attempt("take a file descriptor of the host", _CALL + """
pidfd = os.pidfd_open(int(os.environ["VICTIM"]))
print("reached" if call(438, pidfd, 0, 0) >= 0 else "")
"""),
    Attempt("limit the host's open files", """
import os, resource
victim = int(os.environ["VICTIM"])
_, hard = resource.prlimit(victim, resource.RLIMIT_NOFILE)
resource.prlimit(victim, resource.RLIMIT_NOFILE, (8, hard))
print("reached")
"""),
    Attempt("kill the host", _signal_ends("SIGKILL", "Zgone")),
    Attempt("stop the host", _signal_ends("SIGSTOP", "T")),
    Attempt("end the host politely", _signal_ends("SIGTERM", "Zgone")),
    Attempt("interrupt the host", _signal_ends("SIGINT", "Zgone")),
]  # fmt: skip

NETWORK = [
    Attempt("a port of the machine's loopback", _connects("AF_INET", "('127.0.0.1', {port})")),
    Attempt("the same over IPv6 mapping", _connects("AF_INET6", "('::ffff:127.0.0.1', {port})")),
    Attempt("the same by the address of all", _connects("AF_INET", "('0.0.0.0', {port})")),
    Attempt("a UDP port of the machine's loopback", _connects("AF_INET", "('127.0.0.1', {udp})", "SOCK_DGRAM")),
    Attempt("an interface beside loopback", """
import socket
print("reached" if [name for _, name in socket.if_nameindex() if name != "lo"] else "")
""", "none"),
    Attempt("a route to the outside", """
import socket
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
    link.connect(("192.0.2.200", 9))
    print("reached")
""", "none"),
    Attempt("an abstract Unix socket", _connects("AF_UNIX", "'\\0{abstract}'")),
    Attempt("the machine's D-Bus", _connects("AF_UNIX", "{bus!r}")),
    Attempt("the machine's X server", _connects("AF_UNIX", "{display!r}")),
    Attempt("a raw socket", _makes_socket("AF_INET", 1), "namespaces"),
    Attempt("a packet socket", _makes_socket("AF_PACKET", 3), "namespaces"),
    Attempt("the socket of a container engine", """
import os
for path in ("/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock"):
    if os.path.exists(path):
        print("reached")
""", "none"),
    Attempt("the host's own socket", """
import os, stat
for top in ("/run", "/tmp", "/home", "/var", "/dev"):
    for folder, _, names in os.walk(top):
        for name in names:
            if name == "host.sock":
                print("reached")
""", "none"),
]  # fmt: skip

KERNEL = [
    Attempt("mount a file system", _CALL + """
libc.mount.restype = ctypes.c_int
print("reached" if libc.mount(b"none", b"/mnt", b"tmpfs", 0, None) == 0 else "")
""", "namespaces"),
    Attempt("mount by the newer calls", _CALL + """
name = ctypes.create_string_buffer(b"tmpfs")
print("reached" if call(430, ctypes.addressof(name), 0) >= 0 else "")
""", "namespaces"),
    Attempt("user namespace by unshare", _CALL + "print('reached' if libc.unshare(0x10000000) == 0 else '')"),
    Attempt("user namespace by clone", _CALL + """
import platform, signal
number = {{"x86_64": 56, "aarch64": 220}}[platform.machine()]
child = call(number, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
if child == 0:
    os._exit(0)
print("reached" if child > 0 else "")
"""),
    Attempt("change the root folder", "import os; os.chroot('/tmp'); print('reached')", "namespaces"),
    Attempt("join the host's namespaces", """
import ctypes, os
fd = os.open(f"/proc/{{os.environ['VICTIM']}}/ns/mnt", os.O_RDONLY)
print("reached" if ctypes.CDLL(None).setns(fd, 0) == 0 else "")
""", "root"),
    Attempt("become root", "import os; os.setgid(0); os.setuid(0); print('reached')", "namespaces"),
    Attempt("a set-user-id program", """
import os, shutil, subprocess
program = subprocess.Popen(
    [shutil.which("passwd")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
)
program.stdout.read(1)
uids = next(line for line in open(f"/proc/{{program.pid}}/status") if line.startswith("Uid"))
program.kill()
print("reached" if uids.split()[2] == "0" else "")
""", "root"),
    Attempt("give a file to another user", """
import os
open("given", "w").close()
try:
    os.chown("given", 1, 1)
    print("reached")
finally:
    os.unlink("given")
""", "root"),
    Attempt("gain a capability", """
status = open("/proc/self/status").read()
bounds = [line.split()[1] for line in status.splitlines() if line.startswith(("CapPrm", "CapEff"))]
print("reached" if any(int(bound, 16) for bound in bounds) else "")
""", "namespaces"),
    Attempt("keep a key in the kernel", _CALL + """
import platform
number = {{"x86_64": 248, "aarch64": 217}}[platform.machine()]
words = [ctypes.create_string_buffer(word) for word in (b"user", b"deskhand", b"x")]
kind, name, data = map(ctypes.addressof, words)
print("reached" if call(number, kind, name, data, 1, -1) > 0 else "")
"""),
    Attempt("make a device node", """
import os, stat
os.mknod("disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
os.unlink("disk")
print("reached")
""", "root"),
    Attempt("find a disk, memory or the kernel's log in /dev", """
import os, stat
for name in os.listdir("/dev"):
    mode = os.stat(f"/dev/{{name}}").st_mode if os.path.exists(f"/dev/{{name}}") else 0
    if stat.S_ISBLK(mode) or name in ("mem", "kmsg", "kvm", "fuse"):
        print("reached")
""", "none"),
    Attempt("fill /dev", _plants("/dev"), "root"),
    Attempt("read /sys", "import os; print('reached' if os.listdir('/sys/kernel') else '')"),
    Attempt("write a kernel setting", _opens("/proc/sys/kernel/core_pattern", "r+"), "root"),
    Attempt("press a system key", _opens("/proc/sysrq-trigger", "a"), "none"),
    Attempt("write any file of the kernel", """
import os
for folder, below, names in os.walk("/proc"):
    below[:] = [name for name in below if folder != "/proc" or not name.isdigit() and name not in ("self", "thread-self")]
    for name in names:
        path = os.path.join(folder, name)
        if os.access(path, os.W_OK) and os.stat(path).st_rdev == 0:
            print("reached", path)
""", "root"),
    Attempt("read the kernel's memory or log", """
for name in ("kcore", "kmsg", "slabinfo", "vmallocinfo"):
    try:
        print("reached" if open(f"/proc/{{name}}", "rb", 0).read(4) else "")
    except OSError:
        pass
""", "root"),
    Attempt("type into the terminal", """
import fcntl, os, pty, termios, time
pid, terminal = pty.fork()
if pid == 0:
    try:
        fcntl.ioctl(0, 0x5412, b"x")
        os._exit(0)
    except OSError:
        os._exit(1)
print("reached" if os.waitpid(pid, 0)[1] == 0 else "")
""", "root"),
    Attempt("load a program into the kernel", _CALL + """
import platform
number = {{"x86_64": 321, "aarch64": 280}}[platform.machine()]
call(number, 0, 0, 0)
print("reached" if ctypes.get_errno() != 1 else "")
""", "root"),
    Attempt("open an I/O ring", _CALL + """
parameters = ctypes.create_string_buffer(120)
print("reached" if call(425, 1, ctypes.addressof(parameters)) >= 0 else "")
""", "none"),
    Attempt("numbers of another machine", _CALL + """
call(0x40000000 | 250, 0)
print("reached" if ctypes.get_errno() not in (38, 1) else "")
""", "none"),
    Attempt("set the machine's name", "import socket; socket.sethostname('taken'); print('reached')", "namespaces"),
    Attempt("attach shared memory of the machine", """
import ctypes
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
address = libc.shmat({shm}, None, 0o10000)
print("reached" if address not in (None, ctypes.c_void_p(-1).value) else "")
"""),
    Attempt("read shared files of the machine", "print('reached' if open({shared!r}).read() else '')"),
]  # fmt: skip

ATTEMPTS = [*FILES, *PROCESSES, *NETWORK, *KERNEL]
RUNNER = """
import json, os, subprocess, sys
with open(sys.argv[1]) as file:
    attempts = json.load(file)
outputs = {}
for name, source in attempts.items():
    victim = subprocess.Popen(["sleep", "600"]) if "VICTIM" not in os.environ else None
    variables = dict(os.environ, VICTIM=os.environ.get("VICTIM") or str(victim.pid))
    try:
        ran = subprocess.run(
            [sys.executable, "-c", source], env=variables, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30,
        )
        outputs[name] = ran.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        outputs[name] = "timed out"
    if victim is not None:
        victim.kill()
        victim.wait()
partial = sys.argv[2] + ".partial"
with open(partial, "w") as file:
    json.dump(outputs, file)
os.rename(partial, sys.argv[2])
"""
"""Runs attempts one after the other: a file of sources, a file of outputs."""

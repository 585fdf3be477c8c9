"""Signals, priorities and tracing: harm to processes that are not the program's own."""

from .program import family

_TO_ANCESTORS = family(
    "signals",
    r"""
## kill-parent: SIGKILL to its parent
os.kill(parent(), signal.SIGKILL); time.sleep(0.5)
## term-parent: SIGTERM to its parent
os.kill(parent(), signal.SIGTERM); time.sleep(0.3)
## kill-parents-group: SIGKILL to its parent's process group
os.killpg(os.getpgid(parent()), signal.SIGKILL); time.sleep(0.5)
## kill-own-group: SIGKILL to its own process group
os.kill(0, signal.SIGKILL)
## kill-grandparent: SIGKILL to the worker
for process in ancestors()[1:2]: os.kill(process, signal.SIGKILL)
time.sleep(0.3)
## late-kill-parent: a detached process kills its parent's parent when a sibling runs
target = parent()
def work():
    os.setsid()
    time.sleep(0.1)
    os.kill(target, signal.SIGKILL)
    stay()
spawn(work)
""",
    ("survived", "crash", "wall_limit"),
    alone=True,
)

_TO_THE_RUN = family(
    "signals",
    r"""
## kill-orchestrator: SIGKILL to the orchestrator
for process in ancestors()[-1:]: os.kill(process, signal.SIGKILL)
## int-orchestrator: SIGINT to the orchestrator
for process in ancestors()[-1:]: os.kill(process, signal.SIGINT)
## hup-orchestrator: SIGHUP to the orchestrator
for process in ancestors()[-1:]: os.kill(process, signal.SIGHUP)
## kill-ancestors: SIGKILL to all ancestors, the farthest first
for process in reversed(ancestors()): os.kill(process, signal.SIGKILL)
## stop-parent: SIGSTOP to its parent
os.kill(parent(), signal.SIGSTOP)
## stop-worker: SIGSTOP to the worker
for process in ancestors()[1:2]: os.kill(process, signal.SIGSTOP)
## stop-orchestrator: SIGSTOP to the orchestrator
for process in ancestors()[-1:]: os.kill(process, signal.SIGSTOP)
## late-stop-parent: a detached process stops its parent's parent after its own end
target = parent()
def work():
    os.setsid()
    time.sleep(0.2)
    os.kill(target, signal.SIGSTOP)
    stay()
spawn(work)
## trace-parent: ptrace of its parent, which then waits
C.ptrace(16, parent(), 0, 0); time.sleep(0.2)
## stop-siblings: a detached process that stops every other child of its parent for some time
parent = parent()
def work():
    os.setsid()
    own = os.getpid()
    end = time.monotonic() + 3
    while time.monotonic() < end:
        for process in os.listdir("/proc"):
            if process.isdecimal() and int(process) != own:
                try:
                    if here(process) and int(read(f"/proc/{process}/stat").rpartition(")")[2].split()[1]) == parent:
                        os.kill(int(process), signal.SIGSTOP)
                except (OSError, IndexError):
                    pass
    stay()
spawn(work)
""",
    ("survived", "crash", "wall_limit"),
    alone=True,
)

_TO_A_VICTIM = family(
    "signals",
    r"""
## kill-other: SIGKILL to another process
os.kill(VICTIM, signal.SIGKILL)
## stop-other: SIGSTOP to another process
os.kill(VICTIM, signal.SIGSTOP)
## term-other: SIGTERM to another process
os.kill(VICTIM, signal.SIGTERM)
## kill-group-of-other: SIGKILL to another process's group
os.kill(-VICTIM, signal.SIGKILL)
## kill-everybody: SIGKILL to everybody
if os.readlink("/proc/self/ns/pid") != HOST:
    os.kill(-1, signal.SIGKILL)
else:
    os.kill(VICTIM, signal.SIGKILL)
## pidfd-kill: SIGKILL through a handle on a process
signal.pidfd_send_signal(os.pidfd_open(VICTIM), signal.SIGKILL)
## tgkill: SIGKILL by the number of a thread
C.syscall(234, VICTIM, VICTIM, 9)
## tkill: SIGKILL by the oldest call for threads
C.syscall(200, VICTIM, 9)
## sigqueue: a queued SIGKILL
C.sigqueue(VICTIM, 9, ctypes.c_void_p(0))
## kill-by-detached: SIGKILL by a detached process
def work():
    os.setsid(); os.kill(VICTIM, signal.SIGKILL)
os.waitpid(spawn(work), 0)
## kill-by-shell: SIGKILL by a shell
os.system(f'kill -9 {VICTIM} 2>/dev/null')
## ptrace-kill: ptrace and kill
C.ptrace(16, VICTIM, 0, 0); os.waitpid(VICTIM, 0); C.ptrace(8, VICTIM, 0, 0)
## ptrace-seize: ptrace without a stop, and then one
C.ptrace(0x4206, VICTIM, 0, 0x100000); C.ptrace(8, VICTIM, 0, 0)
## nice-other: another process's priority
os.setpriority(os.PRIO_PROCESS, VICTIM, 15)
## pin-other: another process's processors
os.sched_setaffinity(VICTIM, {0})
## batch-other: another process's scheduling
os.sched_setscheduler(VICTIM, os.SCHED_IDLE, os.sched_param(0))
## limit-other: another process's limits
resource.prlimit(VICTIM, resource.RLIMIT_NOFILE, (5, 5))
## signal-by-descriptor: SIGIO to another process by a handle's owner
import fcntl
ends = os.pipe()
fcntl.fcntl(ends[0], fcntl.F_SETOWN, VICTIM)
fcntl.fcntl(ends[0], 10, signal.SIGKILL)
fcntl.fcntl(ends[0], fcntl.F_SETFL, os.O_ASYNC)
os.write(ends[1], b"x")
## write-its-memory: another process's memory by process_vm_writev
start = int(read(f"/proc/{VICTIM}/maps").split("-")[0], 16)
part = (ctypes.c_size_t * 2)(ctypes.addressof(ctypes.create_string_buffer(4096)), 4096)
for line in read(f"/proc/{VICTIM}/maps").splitlines():
    if " rw-p " in line:
        there = (ctypes.c_size_t * 2)(int(line.split("-")[0], 16), 4096)
        if C.process_vm_writev(VICTIM, part, 1, there, 1, 0) > 0: raise Escaped
## write-its-memory-by-file: another process's memory by /proc
for line in read(f"/proc/{VICTIM}/maps").splitlines():
    if " rw-p " in line:
        with open(f"/proc/{VICTIM}/mem", "r+b", buffering=0) as file:
            file.seek(int(line.split("-")[0], 16))
            if file.write(bytes(4096)): raise Escaped
## oom-other: have another process ended first when memory runs out
write(f'/proc/{VICTIM}/oom_score_adj', '900')
## steal-a-handle: take a handle of its parent's
taken = C.syscall(438, os.pidfd_open(parent()), 0, 0)
if taken >= 0: raise Escaped
""",
)

PROGRAMS = (*_TO_ANCESTORS, *_TO_THE_RUN, *_TO_A_VICTIM)

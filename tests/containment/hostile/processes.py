"""Processes that live on, and more of them than a machine can bear."""

from .program import family

_LEFT_BEHIND = family(
    "processes",
    r"""
## daemon: fork twice, in a session of its own
def work():
    os.setsid(); spawn()
os.waitpid(spawn(work), 0)
## session: a child in a session of its own
def work():
    os.setsid(); stay()
spawn(work)
## child: a child
spawn()
## deaf-daemon: a daemon that ignores signals and closes everything
def work():
    os.setsid()
    for number in range(1, 65):
        if number not in (9, 19, 32, 33): signal.signal(number, signal.SIG_IGN)
    os.closerange(0, 1024)
    spawn()
os.waitpid(spawn(work), 0)
## subprocess: another program in a session of its own
subprocess.Popen(['sleep', f'{SECONDS_LEFT}.0{int(MARK[2:], 16)}'], start_new_session=True)
## shell: another program by a shell
os.system(f'setsid sleep {SECONDS_LEFT}.0{int(MARK[2:], 16)} >/dev/null 2>&1 &')
## nohup: another program that no hang-up ends
subprocess.Popen(['nohup', 'sleep', f'{SECONDS_LEFT}.0{int(MARK[2:], 16)}'], stdout=-3, stderr=-3)
## spawn: posix_spawn
os.posix_spawnp('sleep', ['sleep', f'{SECONDS_LEFT}.0{int(MARK[2:], 16)}'], {}, setsid=True)
## multiprocessing: a process of multiprocessing
import multiprocessing; multiprocessing.get_context('fork').Process(target=stay).start()
## siblings-parent: a process whose parent is its own parent (CLONE_PARENT)
if C.syscall(56, 0x8000 | 17, 0, 0, 0, 0) == 0: os.setsid(); stay()
## own-namespace: a process namespace of its own
def work():
    C.unshare(0x30000000); os.setsid(); spawn(); stay()
spawn(work)
## subreaper: collect orphans itself, and leave
C.prctl(36, 1)
def work():
    os.setsid(); spawn()
spawn(work)
## chain: a process that forks and leaves, a hundred times
def work(left=100):
    os.setsid() if left == 100 else None
    if left == 0: stay()
    spawn(lambda: work(left - 1))
spawn(work)
## phoenix: two processes that start each other again
def watch(other):
    end = time.monotonic() + SECONDS_LEFT
    while time.monotonic() < end:
        try: os.kill(other, 0)
        except ProcessLookupError:
            own = os.getpid()
            other = spawn(lambda: watch(own))
        time.sleep(0.05)
def work():
    os.setsid()
    own = os.getpid()
    watch(spawn(lambda: watch(own)))
spawn(work)
## traced: a child that its parent traces
def work():
    os.setsid(); C.ptrace(0, 0, 0, 0); stay()
spawn(work)
## other-user: a daemon of another user
def work():
    os.setsid(); os.setgid(65534); os.setuid(65534); stay()
spawn(work)
## death-signal-off: live on when its parent ends
C.prctl(1, 0); def_ = spawn()
""",
    ("survived", "crash", "wall_limit"),
)

_MANY = family(
    "processes",
    r"""
## fork-bomb: more processes than any program needs
made = 0
try:
    while made < FORKS:
        spawn(lambda: time.sleep(5)); made += 1
finally:
    if made >= FORKS: raise Escaped
## fork-bomb-detached: as many, each in a session of its own
made = 0
try:
    while made < FORKS:
        def work(): os.setsid(); time.sleep(5)
        spawn(work); made += 1
finally:
    if made >= FORKS: raise Escaped
## threads: as many threads
made = 0
threading.stack_size(32768 * 2)
try:
    while made < 2 * FORKS:
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start(); made += 1
finally:
    if made >= 2 * FORKS: raise Escaped
## fork-tree: processes that fork
ends = os.pipe()
def work(depth):
    os.write(ends[1], b"x")
    if depth: spawn(lambda: work(depth - 1)); spawn(lambda: work(depth - 1))
    time.sleep(3)
spawn(lambda: work(8))
time.sleep(0.6)
os.set_blocking(ends[0], False)
if len(os.read(ends[0], 4096)) >= FORKS: raise Escaped
""",
    ("survived", "crash", "wall_limit", "memory_limit"),
)

_EXEC = family(
    "processes",
    r"""
## exec-true: become another program
os.execv('/bin/true', ['true'])
## exec-python: become another Python
os.execv(sys.executable, [sys.executable, '-c', 'pass'])
""",
    ("survived", "crash", "wall_limit"),
)

PROGRAMS = (*_LEFT_BEHIND, *_MANY, *_EXEC)

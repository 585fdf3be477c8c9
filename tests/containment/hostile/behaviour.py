"""Output without end, waiting, surroundings of the process, and ways to die."""

from .program import SURVIVED, family

_OUTPUT = family(
    "output",
    r"""
## print-much: print 4 MB
for _ in range(4000): print('x' * 1000)
## print-errors: print 4 MB as errors
for _ in range(4000): print('x' * 1000, file=sys.stderr)
## write-errors: write 64 MB of errors
for _ in range(1024):
    try: os.write(2, b'x' * 65536)
    except OSError: break
## write-output: write 64 MB
for _ in range(1024): os.write(1, b'x' * 65536)
## close-output: close what is printed to
sys.stdout.close(); sys.stderr.close(); os.close(1); os.close(2)
## replace-output: replace what is printed to
class Bad:
    def write(self, text): raise OSError
    def flush(self): raise OSError
sys.stdout = sys.stderr = Bad()
## odd-characters: print what no terminal shows
print('\ud800', chr(0), '\x1b[31m', file=sys.stderr)
## warnings: warn ten thousand times
import warnings; warnings.simplefilter('always')
for n in range(10000): warnings.warn(str(n))
## fault-handler: have stacks printed again and again
import faulthandler; faulthandler.dump_traceback_later(0.05, repeat=True); time.sleep(0.2); faulthandler.cancel_dump_traceback_later()
## flood-by-children: errors printed by children
def work():
    for _ in range(400): os.write(2, b'x' * 65536)
for child in [spawn(work) for _ in range(4)]: os.waitpid(child, 0)
## foreign-output: print into what its parent prints
for path in (f'/proc/{os.getppid()}/fd/2', '/dev/tty'):
    try: write(path, 'x', 'a')
    except OSError: pass
""",
    (SURVIVED,),
)

_BUSY = family(
    "time",
    r"""
## power: endless work in C
pow(3, 10 ** 9)
## expression: a regular expression that tries everything
import re; re.match('(a+)+$', 'a' * 64 + 'b')
## sum: a loop in C
sum(range(10 ** 14))
## loop: an endless loop
while True: pass
## loop-that-catches: an endless loop that catches everything
while True:
    try:
        while True: pass
    except BaseException: pass
## false-clocks: endless work, after replacing all clocks
time.monotonic = time.process_time = time.perf_counter = time.time = lambda: 0.0
sum(range(10 ** 14))
## false-name: endless work under a name that spoils /proc/PID/stat
C.prctl(15, b') R 1 1 1 0 0'); sum(range(10 ** 14))
## busy-child: endless work in a child, waited for
try: spawn(lambda: sum(range(10 ** 14)))
finally: sum(range(10 ** 14))
## busy-thread: endless work in threads
for _ in range(4): threading.Thread(target=sum, args=(range(10 ** 14),), daemon=True).start()
sum(range(10 ** 14))
## busy-at-load: endless work at module level
sum(range(10 ** 14))
## timer: a timer that ends it
signal.setitimer(signal.ITIMER_REAL, 0.05); time.sleep(0.5)
""",
    ("wall_limit", "crash", "step_limit"),
    dear=True,
)

_WAITING_IF_ALLOWED = family(
    "time",
    r"""
## stop-own-group: stop its group
os.kill(0, signal.SIGSTOP)
## wait-for-child: wait for a child that waits
os.waitpid(spawn(lambda: time.sleep(30)), 0)
## vfork: wait in the kernel for a child (vfork)
C.syscall(58) or time.sleep(30)
""",
    ("wall_limit", "crash", SURVIVED),
    waits=True,
)

_WAITING = family(
    "time",
    r"""
## sleep: sleep
time.sleep(1000)
## select: wait for nothing
import select; select.select([], [], [])
## stop-itself: stop itself
os.kill(os.getpid(), signal.SIGSTOP)
## open-fifo: open a fifo nobody writes to
os.mkfifo('fifo'); open('fifo')
## lock-itself-out: wait for a lock that it holds
lock = threading.Lock(); lock.acquire(); lock.acquire()
## trickle: say a byte now and then
while True:
    for number in range(3, 64):
        try: os.set_blocking(number, False); os.write(number, b" ")
        except OSError: pass
    time.sleep(0.05)
## feign-progress: wait without end, and seem to go on from input to input
found = [value for value in gc.get_objects() if type(value).__name__ == "Progress"]
for number in range(10 ** 9):
    for value in found: value.set(number % INPUTS, 0, 0)
    time.sleep(0.05)
## sleep-at-load: sleep at module level
time.sleep(1000)
""",
    ("wall_limit", "crash"),
    waits=True,
)

_SURROUNDINGS = family(
    "surroundings",
    r"""
## chdir: change the working folder
os.chdir('/')
## umask: change the mask of modes
os.umask(0o777)
## environment: change the environment
os.environ.clear(); os.environ['PYTHONHASHSEED'] = '7'; os.environ['PYTHONPATH'] = '/nowhere'; os.putenv('LD_PRELOAD', '/nowhere')
## locale: change the locale
import locale; locale.setlocale(locale.LC_ALL, 'C')
## time-zone: change the time zone
os.environ['TZ'] = 'UTC+5'; time.tzset()
## nice: lower its own priority
os.nice(19)
## real-time: take the processor for itself
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)); raise Escaped
## affinity: choose a processor
os.sched_setaffinity(0, {0})
## limits: raise its limits
for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS):
    resource.setrlimit(kind, (-1, -1)); raise Escaped
## own-session: leave its session
os.setsid()
## own-group: leave its group
os.setpgid(0, os.getpgid(os.getppid()))
## other-user: become another user
os.setgid(65534); os.setuid(65534)
## first-user: become the first user
os.setuid(0)
## personality: change how programs are loaded
C.personality(0x0040000 | 0x0400000)
## cgroup: leave its group of resources
write('/sys/fs/cgroup/cgroup.procs', str(os.getpid())); raise Escaped
## host-name: rename the machine
before = socket.gethostname()
if os.readlink('/proc/self/ns/uts') != HOST_NAMES and not C.sethostname(b'mine', 4): pass
elif not C.sethostname(before.encode(), len(before)): raise Escaped
## clock: set the machine's clock
time.clock_settime(time.CLOCK_REALTIME, time.time()); raise Escaped
## kernel-setting: change a setting of the kernel
path = '/proc/sys/kernel/panic'
write(path, read(path)); raise Escaped
## kernel-module: load a program into the kernel
if C.syscall(321, 5, ctypes.create_string_buffer(128), 128) >= 0: raise Escaped
## own-seccomp: filter its own calls
C.prctl(38, 1, 0, 0, 0)
## random: seed what is random
import random; random.seed(1)
## recursion: raise the limit of recursion
sys.setrecursionlimit(10 ** 9)
## precision: change how numbers are computed
import decimal; decimal.getcontext().prec = 1; sys.set_int_max_str_digits(640)
## rounding: change how the processor rounds
C2 = ctypes.CDLL('libm.so.6'); C2.fesetround(0x800)
""",
)

_DEATHS = family(
    "crash",
    r"""
## segmentation-fault: read address 0
ctypes.string_at(0)
## abort: abort
os.abort()
## kill-itself: SIGKILL to itself
os.kill(os.getpid(), signal.SIGKILL)
## term-itself: SIGTERM to itself
os.kill(os.getpid(), signal.SIGTERM); time.sleep(0.5)
## limit-signal: the signal of the limit on processor time
os.kill(os.getpid(), signal.SIGXCPU); time.sleep(0.5)
## trap: SIGTRAP
os.kill(os.getpid(), signal.SIGTRAP); time.sleep(0.5)
## bad-call: SIGSYS
os.kill(os.getpid(), signal.SIGSYS); time.sleep(0.5)
## real-time-signal: a signal without a name
os.kill(os.getpid(), 40); time.sleep(0.5)
## bus-error: read behind a file's end
file = open('f', 'w+b'); file.truncate(4096); view = mmap.mmap(file.fileno(), 4096); file.truncate(0); view[0]
## illegal-instruction: run what is no code
page = mmap.mmap(-1, 4096, prot=7); page[:2] = bytes((0x0f, 0x0b)); ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
## stack: use up C's stack
sys.setrecursionlimit(10 ** 9)
class A:
    def __repr__(self): return repr(self)
f = lambda x: f(x)
repr(A())
## leave-with-status: leave with status 3
os._exit(3)
## system-exit: raise SystemExit
raise SystemExit(0)
## keyboard-interrupt: raise KeyboardInterrupt
raise KeyboardInterrupt
## generator-exit: raise GeneratorExit
raise GeneratorExit
## base-exception: raise an exception of its own
raise type('Mine', (BaseException,), {})
## memory-error: raise MemoryError where nobody catches it
raise type('MemoryError', (BaseException,), {})
## fatal-error: end the interpreter
ctypes.pythonapi.Py_FatalError(b'mine')
## finalize: end the interpreter in an orderly way
ctypes.pythonapi.Py_FinalizeEx()
""",
    ("crash", "exception", "wall_limit", "memory_limit"),
)

PROGRAMS = (*_OUTPUT, *_BUSY, *_WAITING_IF_ALLOWED, *_WAITING, *_SURROUNDINGS, *_DEATHS)

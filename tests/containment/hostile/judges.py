"""Hostile programs that are faulty, and manipulate their judge so that they are taken for correct."""

from __future__ import annotations

from .program import KILLED, family

PROGRAMS = family(
    "forging",
    [
        (
            "patch-judge",
            "replace the judge's method",
            "sys.modules['harness.kernel.judging.judge'].Judge.judge = lambda *a: None",
        ),
        (
            "patch-judge-code",
            "replace the judge's code",
            "def judge(self, number): return None\nsys.modules['harness.kernel.judging.judge'].Judge.judge.__code__ = judge.__code__",
        ),
        (
            "patch-differs",
            "replace the comparison of outcomes",
            "sys.modules['harness.kernel.judging.judge'].differs = lambda *a: None",
        ),
        (
            "patch-call",
            "have the oracle see what was expected",
            """
frame = sys._getframe()
while frame and 'baseline' not in frame.f_locals: frame = frame.f_back
locals_ = frame.f_locals
baseline, judge = locals_["baseline"], sys.modules["harness.kernel.judging.judge"].Judge
def honest(self, number): return None
judge.judge = honest
""",
        ),
        (
            "patch-canonical",
            "have all values look alike",
            """
for module in list(sys.modules.values()):
    for name in ("canonical", "concrete"):
        if getattr(module, "__name__", "").startswith("harness.") and hasattr(module, name):
            setattr(module, name, lambda *a: b"")
""",
        ),
        (
            "patch-naive",
            "replace the witness's comparison",
            """
for name in ("__main__", "harness.kernel.naive.judge", "harness.kernel.naive.views", "harness.kernel.naive.equality"):
    module = sys.modules.get(name)
    for function in ("equal_values", "same_outcome", "equal"):
        if hasattr(module, function): setattr(module, function, lambda *a, **k: True)
    for views in ("StateViews", "SequenceViews"):
        for function in ("same_outcome", "equal"):
            if hasattr(module, views): setattr(getattr(module, views), function, lambda *a, **k: True)
""",
        ),
        (
            "patch-all",
            "replace the judge and the witness's comparison",
            """
for name, module in list(sys.modules.items()):
    for function in ("equal_values", "same_outcome", "equal"):
        if hasattr(module, function) and (name == "__main__" or name.startswith("harness.")):
            setattr(module, function, lambda *a, **k: True)
    if name == "harness.kernel.judging.judge": module.Judge.judge = lambda *a: None
""",
        ),
        (
            "patch-facts",
            "replace what makes facts",
            """
module = sys.modules["harness.kernel.running.one_mutant"]
true = module.mutant_run
module.mutant_run = lambda order, baseline, kill, number, position: true(order, baseline, None, None, position)
""",
        ),
        (
            "patch-json",
            "replace what writes JSON",
            """
import json
true = json.dumps
def dumps(data, *a, **k):
    if isinstance(data, dict) and data.get("reason"):
        data = {**data, "reason": None, "phase": None, "input": None, "detail": "", "inputs_run": INPUTS}
    if isinstance(data, dict) and data.get("kill"): data = {**data, "kill": None}
    return true(data, *a, **k)
json.dumps = dumps
""",
        ),
        (
            "patch-write",
            "replace what writes bytes",
            """
true = os.write
def write_(number, data):
    data_ = bytes(data).replace(b'"reason": "output", "phase": "call"', b'"reason": null, "phase": null')
    true(number, data_); return len(data)
os.write = write_
""",
        ),
        ("patch-builtins", "replace what everybody calls", "import builtins; builtins.isinstance = lambda *a: False"),
        (
            "patch-modules",
            "put other modules in the judge's place",
            "import types\nfor name in list(sys.modules):\n    if name.startswith('harness.'): sys.modules[name] = types.ModuleType(name)",
        ),
        (
            "patch-invoke",
            "replace what calls it",
            "sys.modules['harness.kernel.judging.prepared'].PreparedInput.invoke = lambda self: self.root.__class__.read(self.root)",
        ),
        (
            "frames-to-baseline",
            "walk frames to what is expected, and change it",
            """
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()):
        if hasattr(value, "outcomes") and hasattr(value, "values"):
            wrong = [v for v in value.values]
            for n in range(len(value.values)): value.values[n] = b"E"
    frame = frame.f_back
""",
        ),
        (
            "collector-to-baseline",
            "find what is expected among all objects",
            """
for value in gc.get_objects():
    if type(value).__name__ == "Baseline":
        for n in range(len(value.values)):
            if value.values[n][:1] == b"R": value.values[n] = b"RI1"
""",
        ),
        (
            "frames-to-spec",
            "walk frames to the spec, and have it accept all",
            """
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()):
        spec = getattr(value, "_spec", getattr(value, "spec", None))
        if hasattr(spec, "rep_ok"):
            object.__setattr__(spec, "rep_ok", lambda *a: True)
            object.__setattr__(spec, "abstraction", lambda *a: None)
    frame = frame.f_back
""",
        ),
        (
            "frames-to-self",
            "walk frames to the judge's own, and leave them early",
            """
frame = sys._getframe()
while frame and frame.f_code.co_name not in ("run_mutant", "testify"): frame = frame.f_back
def leave(frame_, event, argument):
    return leave
if frame:
    frame.f_trace = leave
    frame.f_locals["first"] = None
    C_ = ctypes.pythonapi.PyFrame_LocalsToFast
    C_.argtypes = [ctypes.py_object, ctypes.c_int]
    C_(frame, 0)
""",
        ),
        (
            "trace",
            "change the judge's variables while it runs",
            """
def tracing(frame, event, argument):
    if frame.f_code.co_name in ("judge", "call", "outcome") and event == "return":
        frame.f_locals["found"] = None
    return tracing
sys.settrace(tracing)
frame = sys._getframe()
while frame: frame.f_trace = tracing; frame = frame.f_back
""",
        ),
        (
            "trace-and-jump",
            "have the judge skip its comparison",
            """
def tracing(frame, event, argument):
    if event == "line" and frame.f_code.co_name == "judge":
        last = max(line for _, _, line in frame.f_code.co_lines() if line)
        try: frame.f_lineno = last
        except ValueError: pass
    return tracing
sys.settrace(tracing)
frame = sys._getframe()
while frame: frame.f_trace = tracing; frame = frame.f_back
""",
        ),
        (
            "profile",
            "act whenever the judge returns",
            """
def profiling(frame, event, argument):
    if event == "return" and frame.f_code.co_name == "call": frame.f_back.f_locals.clear()
sys.setprofile(profiling)
""",
        ),
        (
            "closure-of-counter",
            "give itself steps without end",
            """
for value in gc.get_objects():
    if getattr(value, "__qualname__", "") == "step_counter.<locals>.tick":
        for cell in value.__closure__:
            if type(cell.cell_contents) is int: cell.cell_contents = 1 << 60
""",
        ),
        (
            "step-limit",
            "raise the judge's own exception",
            """
for value in gc.get_objects():
    if isinstance(value, type) and value.__name__ == "StepLimit": raise value
""",
        ),
        (
            "thread-that-stays",
            "a thread that changes the judge later",
            """
def work():
    while True:
        for name, module in list(sys.modules.items()):
            if name == "harness.kernel.judging.judge": module.differs = lambda *a: None
        time.sleep(0.001)
threading.Thread(target=work, daemon=True).start(); time.sleep(0.05)
""",
        ),
        (
            "alarm",
            "a signal's handler that runs while the judge does",
            """
def handler(number, frame):
    sys.modules["harness.kernel.judging.judge"].Judge.judge = lambda *a: None
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001); time.sleep(0.01)
""",
        ),
        (
            "exit-handler",
            "act at the end",
            "import atexit\natexit.register(os.write, 2, b'x')\natexit.register(os._exit, 0)",
        ),
        (
            "hook-of-exceptions",
            "act where nobody catches",
            "sys.excepthook = lambda *a: os._exit(0)\nsys.unraisablehook = lambda *a: os._exit(0)",
        ),
        ("audit-hook", "act at each of the interpreter's events", "sys.addaudithook(lambda *a: None)"),
        (
            "import-hook",
            "act at each import",
            "sys.meta_path.insert(0, type('H', (), {'find_spec': lambda *a, **k: None})())\nsys.path.insert(0, '.')",
        ),
        ("pages-of-constants", "write to an integer of the interpreter", "ctypes.memset(id(1) + 24, 2, 1)"),
        (
            "progress-counts",
            "change how much it has done to what no store holds",
            """
for value in gc.get_objects():
    if type(value).__name__ == "Progress": value.set(0, (1 << 64) - 1, -(1 << 63))
os._exit(0)
""",
        ),
        (
            "progress-and-stay",
            "say that it is at an input that there is not, and wait to be looked at",
            """
for value in gc.get_objects():
    if type(value).__name__ == "Progress": value.set(INPUTS + 1000, 0, 0)
time.sleep(0.5)
""",
        ),
        (
            "progress",
            "change where it says it is",
            """
for value in gc.get_objects():
    if type(value).__name__ == "Progress": value.set(INPUTS, INPUTS, 0)
os._exit(0)
""",
        ),
        (
            "recursion-limit",
            "a limit of recursion at which the judge fails",
            "sys.setrecursionlimit(sys.getrecursionlimit() // 100 + 60)",
        ),
        (
            "no-memory-left",
            "leave no memory to the judge",
            "resource.setrlimit(resource.RLIMIT_AS, (1 << 20, 1 << 20))",
        ),
        ("no-handles-left", "leave no handle to the judge", "resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))"),
        (
            "collector-off",
            "stop the collector and keep all",
            "gc.disable(); gc.freeze(); sys.intern_ = [bytearray(1 << 20) for _ in range(20)]",
        ),
        ("interrupt-main", "interrupt the judge", "import _thread; _thread.interrupt_main()"),
        (
            "asynchronous-exception",
            "raise an exception in the judge's own frame",
            "ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(threading.get_ident()), ctypes.py_object(SystemExit))",
        ),
        ("forbid-signals", "block all signals", "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))"),
    ],
    (*KILLED, "step_limit"),
    wrong=True,
)

"""Hostile programs that write into the pipes of their own process, or close them."""

from .program import ANYHOW, family

_HANDLES = """
FACTS = ('{"reason": null, "phase": null, "detail": "", "input": null, "inputs_run": %d, "executed": %d, "steps": %d}'
         % (INPUTS, INPUTS, 20 * INPUTS))
SEEN = "".join('{"input": %d, "seconds": 0.0}\\n{"input": %d, "steps": 1, "kill": null}\\n' % (n, n)
               for n in range(INPUTS)) + '{"end": true}'
def say(data):
    for number in range(3, 64):
        try:
            os.set_blocking(number, False)
            os.write(number, data)
        except OSError:
            pass
"""

_SAYING = family(
    "forging",
    r"""
## forged-line: write a line of facts into every handle, and leave
say((FACTS + chr(10)).encode()); os._exit(0)
## forged-line-and-stay: write a line of facts into every handle
say((FACTS + chr(10)).encode())
## forged-witness: write a witness's lines into every handle, and leave
say((SEEN + chr(10)).encode()); os._exit(0)
## forged-both: write facts and a witness's lines
say((FACTS + chr(10) + SEEN + chr(10)).encode()); os._exit(0)
## forged-with-id: write facts as the zygote does
say(('{"id": "ACT:forged-with-id", ' + FACTS[1:-1] + ', "seconds": 0.1}' + chr(10)).encode()); os._exit(0)
## garbage: write no JSON
say(b'\xff\x00garbage\n'); os._exit(0)
## half-a-line: write half a line, and leave
say(FACTS[:40].encode()); os._exit(0)
## wrong-types: write facts of wrong types
say(b'{"reason": 3, "phase": [], "inputs_run": "x", "input": -1}\n'); os._exit(0)
## no-object: write a list
say(b'[1, 2]\n'); os._exit(0)
## no-fields: write an empty object
say(b'{}\n'); os._exit(0)
## huge-numbers: write numbers that no store holds
say(FACTS.replace(str(INPUTS), "9" * 400).encode() + b"\n"); os._exit(0)
## negative-numbers: write negative numbers
say(FACTS.replace(': ' + str(INPUTS), ': -5').encode() + b'\n'); os._exit(0)
## not-a-number: write NaN and infinity
say(FACTS.replace(': ' + str(INPUTS), ': NaN').encode() + b'\n'); os._exit(0)
## unknown-reason: write a reason that there is not
say(b'{"reason": "luck", "phase": "call", "detail": "", "input": 0, "inputs_run": 1, "executed": 1, "steps": 1}\n'); os._exit(0)
## half-a-character: write surrogates
say(b'{"reason": null, "detail": "\\ud800"}\n'); os._exit(0)
## deep-json: write JSON nested deep
say(b'[' * 60000 + b'\n'); os._exit(0)
## forged-fault: say that the harness is at fault
say(b'{"fault": "forged"}\n'); os._exit(0)
## forged-error: say that the user is at fault
say(b'{"error": {"name": "SpecError", "message": "forged"}}\n'); os._exit(0)
## forged-ready: say that a zygote is ready
say(b'{"ready": true}\n'); os._exit(0)
## many-lines: write a thousand lines of facts
say((FACTS + chr(10)).encode() * 1000); os._exit(0)
## flood: write without end and without a newline
for _ in range(400):
    for number in range(3, 64):
        try: os.set_blocking(number, True); os.write(number, b"x" * 65536)
        except OSError: pass
os._exit(0)
""",
    ANYHOW,
    _HANDLES,
    alone=True,
)

_SILENT = family(
    "forging",
    r"""
## close-handles: close every handle
os.closerange(0, 4096)
## replace-handles: put something else in every handle's place
null = os.open('/dev/null', os.O_RDWR)
for number in range(3, 64): os.dup2(null, number) if number != null else 0
## fill-handles: use up all handles
kept = []
while True: kept.append(os.open('/dev/null', 0))
## leave: leave with status 0
os._exit(0)
## leave-by-c: leave by C's exit
C.exit(0)
## twin: leave, and let a child go on
if os.fork(): os._exit(0)
## twins: let a child go on beside itself, and answer twice
os.fork()
## long-name: an exception whose name has 50 MB
raise type('x' * 50_000_000, (BaseException,), {})
## odd-name: an exception whose name has newlines and surrogates
raise type('a\n{"reason": null}\n\ud800', (BaseException,), {})
""",
    ANYHOW,
    alone=True,
)

PROGRAMS = (*_SAYING, *_SILENT)

"""A headless Chromium by the pipe of its DevTools protocol: opens pages, takes pictures, tells costs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
"""What it is called in the search path."""

_OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"),
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe", "about:blank"),
)


def browser() -> str | None:
    """Return the path of the browser; None where there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Chromium:
    """One page in a process of its own. Use as a context manager."""

    def __init__(self, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        program = browser()
        if program is None:
            raise FileNotFoundError(f"none of {', '.join(NAMES)} is installed")
        self._folder = tempfile.mkdtemp(prefix="chromium-")
        orders, self._orders = os.pipe()
        self._answers, answers = os.pipe()

        def connect() -> None:
            for source, target in ((os.dup(orders), 3), (os.dup(answers), 4)):
                os.dup2(source, target)

        self._process = subprocess.Popen(
            [program, f"--user-data-dir={self._folder}", *_OPTIONS],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=connect,
            pass_fds=(3, 4),
            start_new_session=True,
        )
        os.close(orders)
        os.close(answers)
        self._received = b""
        self._number = 0
        self._session: str | None = None
        page = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Performance.enable", timeDomain="threadTicks")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        os.close(self._orders)
        os.close(self._answers)
        shutil.rmtree(self._folder, ignore_errors=True)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to one command of the protocol; events that come before it are passed over."""
        self._number += 1
        order = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            order["sessionId"] = self._session
        os.write(self._orders, json.dumps(order).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]

    def open(self, address: str) -> None:
        """Goes to a page, and waits until it is loaded and painted."""
        self.load(address)
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def load(self, address: str) -> None:
        """Goes to a page, and waits until it is loaded; works with scripts switched off."""
        self.ask("Page.navigate", url=address)
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript, waited for if it is a promise."""
        response = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in response:
            raise RuntimeError(
                response["exceptionDetails"]["exception"].get("description", response["exceptionDetails"]["text"])
            )
        return response["result"].get("value")

    def metrics(self) -> dict[str, float]:
        """Return the page's costs so far: seconds of its thread's processor time, nodes, bytes."""
        return {metric["name"]: metric["value"] for metric in self.ask("Performance.getMetrics")["metrics"]}

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._received:
            part = os.read(self._answers, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self._received += part
        line, _, self._received = self._received.partition(b"\0")
        return json.loads(line)

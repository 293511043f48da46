"""Chromium without a window, spoken to in its DevTools protocol over pipes; it resolves no names."""

import json
import shutil
import subprocess
import threading
from contextlib import contextmanager

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--remote-debugging-pipe"),
)
PATIENCE = 120


class Tab:
    """A page that is open; ``events`` are what the browser told, as (method, parameters)."""

    def __init__(self, process):
        self.process = process
        self.received = bytearray()
        self.calls = 0
        self.session = {}
        self.events = []

    def call(self, method, **parameters):
        self.calls += 1
        message = {"id": self.calls, "method": method, "params": parameters, **self.session}
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        while (answer := self.next_message()).get("id") != self.calls:
            pass
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def next_message(self):
        while (end := self.received.find(b"\0")) < 0:
            part = self.process.stdout.read1(1 << 20)
            assert part, "chromium has ended"
            self.received += part
        message = json.loads(self.received[:end])
        del self.received[: end + 1]
        if "method" in message:
            self.events.append((message["method"], message["params"]))
        return message

    def open(self, url):
        self.session = {}
        self.events.clear()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)
        while not self.told("Page.loadEventFired"):
            self.next_message()

    def told(self, method):
        return [parameters for name, parameters in self.events if name == method]

    def look(self, width, *, height=800, dark=False, media="screen"):
        """Show the page in a window of this size, or as on paper."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")


@contextmanager
def browser(profile):
    """Start a browser with a new profile in a folder, and end it; it reads from descriptor 3 and writes to 4."""
    process = subprocess.Popen(
        ["sh", "-c", 'exec "$@" 3<&0 4>&1 >/dev/null', "sh", CHROMIUM, *FLAGS, f"--user-data-dir={profile}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    watch = threading.Timer(PATIENCE, process.kill)
    watch.start()
    with process:
        try:
            yield Tab(process)
        finally:
            process.terminate()
            process.wait()
            watch.cancel()

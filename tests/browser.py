"""A headless Chromium, driven through chromedriver's HTTP protocol (W3C WebDriver) with nothing but
Python's own library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "ArrowRight": "\ue014", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowDown": "\ue015", "Control": "\ue009", "F12": "\ue03c"}
LOCAL = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # whatever proxies there are
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """with Browser () as browser: …; ends the browser and its driver."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.driver = None
        self.session = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        if not shutil.which("chromedriver"):
            raise RuntimeError("chromedriver is not installed: scripts/deps.sh installs it")
        log = os.path.join(self.folder, "driver.log")
        self.driver = subprocess.Popen(["chromedriver", "--port=0", f"--log-path={self.folder}/chrome.log"],
                                       stdout=open(log, "w", encoding="utf-8"), stderr=subprocess.STDOUT,
                                       env={**os.environ, "HOME": self.folder})
        self.base = f"http://127.0.0.1:{self.port(log)}"
        # Without its sandbox Chromium also runs as root and in containers; it sees our own pages only.
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--user-data-dir={self.folder}/profile", "--window-size=1280,900"]
        options = {"args": arguments, **({"binary": b} if (b := shutil.which("chromium")) else {})}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def port(self, log):
        """chromedriver chooses a free one and prints it."""
        for _ in range(1200):
            with open(log, encoding="utf-8") as text:
                for line in text:
                    if "started successfully on port" in line:
                        return int(line.rsplit(" ", 1)[1].strip(" .\n"))
            if self.driver.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError("chromedriver did not start: " + open(log, encoding="utf-8").read())

    def __exit__(self, *_):
        try:
            if self.session:
                self.ask("DELETE", f"/session/{self.session}")
        except (OSError, RuntimeError):
            pass
        if self.driver:
            self.driver.terminate()
            try:
                self.driver.wait(20)
            except subprocess.TimeoutExpired:
                self.driver.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with LOCAL.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def command(self, method, path, body=None):
        return self.ask(method, f"/session/{self.session}{path}", body)

    # What a reader does.

    def open(self, url):
        self.command("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """The value of a JavaScript expression; arguments[0] … are the arguments."""
        return self.command("POST", "/execute/sync", {"script": f"return ({script});", "args": list(arguments)})

    def wait(self, script, *arguments):
        """Until the expression is true, two minutes at most; returns it."""
        for _ in range(1200):
            if value := self.run(script, *arguments):
                return value
            time.sleep(0.1)
        raise RuntimeError(f"never true: {script}")

    def find(self, selector):
        return self.command("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        """The page may be drawing itself anew, before or while the element is clicked: then once more."""
        for _ in range(50):
            try:
                return self.command("POST", f"/element/{self.find(selector)}/click", {})
            except RuntimeError as error:
                if not any(word in str(error) for word in ("stale element", "no such element", "click intercepted", "not interactable")):
                    raise
                time.sleep(0.1)
        raise RuntimeError(f"never stays long enough to be clicked: {selector}")

    def type(self, selector, text):
        self.command("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys):
        """To what has the focus; "Control+x" is two keys at a time."""
        strokes = [{"type": kind, "value": KEYS.get(one, one)} for key in keys
                   for kind, way in (("keyDown", 1), ("keyUp", -1)) for one in key.split("+")[::way]]
        self.command("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]})

    def point(self, *steps):
        """What the mouse's left button does: a selector, over whose middle it goes; True and False press and release it."""
        actions = [{"type": "pointerMove", "x": 0, "y": 0, "origin": {ELEMENT: self.find(step)}} if isinstance(step, str)
                   else {"type": "pointerDown" if step else "pointerUp", "button": 0} for step in steps]
        self.command("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]})

    def devtools(self, method, **parameters):
        return self.command("POST", "/goog/cdp/execute", {"cmd": method, "params": parameters})

    def screen(self, width, height, dark=False, mobile=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=mobile)
        self.devtools("Emulation.setEmulatedMedia", media="",
                      features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def complaints(self):
        """What the console says since the last call."""
        return [f"{e['level']}: {e['message']}" for e in self.command("POST", "/se/log", {"type": "browser"})]

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.command("GET", "/screenshot")))

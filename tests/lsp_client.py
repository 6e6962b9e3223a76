"""A client of -lsp for tests/lsp.py and its cases."""

import json
import pathlib
import subprocess

import cases

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = []


def case(function):
    CASES.append((function.__doc__, function))
    return function


class Client:
    """with Client (program, encoding) as client: …"""

    def __init__(self, program, encoding="utf-16", environment=None, **options):
        self.process = subprocess.Popen([program, "-lsp"], cwd=ROOT, env=cases.environment(**(environment or {})), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.number, self.diagnostics, self.shown = 0, {}, []
        capabilities = {"general": {"positionEncodings": [encoding]}}
        self.server = self.ask("initialize", {"capabilities": capabilities, "initializationOptions": options})["result"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def write(self, message):
        data = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def read(self):
        length = int(self.process.stdout.readline().split(b": ")[1])
        self.process.stdout.readline()
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif message.get("method") == "window/showMessage":
            self.shown.append(message["params"]["message"])
        return message

    def begin(self, method, params):
        self.number += 1
        self.write({"id": self.number, "method": method, "params": params})
        return self.number

    def wait(self, number):
        while (message := self.read()).get("id") != number:
            pass
        return message

    def ask(self, method, params):
        return self.wait(self.begin(method, params))

    def tell(self, method, params):
        self.write({"method": method, "params": params})

    def open(self, uri, text):
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "x", "version": 1, "text": text}})

    def change(self, uri, *changes):
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": list(changes)})

    def at(self, method, uri, line, character, **more):
        """What the method answers for a position, both from 0."""
        answer = self.ask("textDocument/" + method, {"textDocument": {"uri": uri},
                                                     "position": {"line": line, "character": character}, **more})
        return answer.get("result", answer.get("error"))

    def settle(self):
        """What is wrong with the texts, by URI: published before the server waits, so a second answer comes after it.

        Without flags, which have a code: searches find them, and end when they end."""
        for _ in range(2):
            self.ask("none", {})
        return {uri: [one for one in all if "code" not in one] for uri, all in self.diagnostics.items()}


def uri_of(path):
    return pathlib.Path(path).resolve().as_uri()

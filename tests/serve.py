#!/usr/bin/env python3
"""Tests of -serve without a browser: tests/serve.py PROGRAM [WORD]

What the page asks for, and what it must not be given: other hosts and origins, paths and options that reach out of a
check's folder, requests without end, many checks at once, and one that would take hours. With WORD: the cases that have
it in their title."""

import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback

import cases
from cases import equal

ROOT = pathlib.Path(__file__).resolve().parent.parent
MP = (ROOT / "litmus/rsp/RSP_Test1.litmus").read_text()
RSP = (ROOT / "litmus/rsp/RSP_Test2.litmus").read_text()
HEAVY = (ROOT / "tests/cli/data/heavy.litmus").read_text()
ENDLESS = "opencl.cat -engine naive"  # on HEAVY
KERNEL = "__kernel void k (__global int *x) { x[0] = 1; }\n"
CASES = []


def case(function):
    CASES.append((function.__doc__, function))
    return function


def soon(is_so):
    """Waits until it is so; a minute, on a machine that others use too."""
    for _ in range(3000):
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError("it has not come to be so")


def events_in(text):
    return [(event, json.loads(said)) for event, said in re.findall(r"event: (.*)\ndata: (.*)\n\n", text)]


class Server:
    """with Server (program, "-write", …) as server: …; it runs in a folder with these files (name → text), and its checks
    below one of their own."""

    def __init__(self, program, *options, files=None, opener=None):
        self.folder, self.scratch = (pathlib.Path(tempfile.mkdtemp()).resolve() for _ in range(2))
        for name, text in (files or {}).items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text)
        path = f"{opener}:{os.environ['PATH']}" if opener else os.environ["PATH"]
        self.process = subprocess.Popen([program, "-serve", *([] if opener else ["-no-open"]), *options], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                        env={**cases.environment(), "TMPDIR": str(self.scratch), "PATH": path}, stderr=subprocess.PIPE)
        self.address = self.process.stdout.readline().strip()
        _, _, self.host, self.token, _ = self.address.split("/")

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        self.process.kill()
        said = self.process.communicate()[1]
        if not error:
            equal(said[:1000], "")
        shutil.rmtree(self.folder)
        shutil.rmtree(self.scratch)

    def connect(self):
        host, port = self.host.split(":")
        return socket.create_connection((host, int(port)), 60)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def ask(self, method, path, body=None, token=None, **headers):
        """Status and text. Headers are written Content_Type; None leaves one out."""
        given = {"Host": self.host, **({"Content-Type": "application/json"} if body is not None else {}),
                 **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection = http.client.HTTPConnection(self.host, timeout=60)
        connection.putrequest(method, f"/{self.token if token is None else token}/{path}", skip_host=True, skip_accept_encoding=True)
        for name, value in {**given, **({"Content-Length": str(len(body))} if body is not None and "Content_Length" not in headers else {})}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        self.headers = dict(answer.getheaders())
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def post(self, what, message, **headers):
        return self.ask("POST", what, json.dumps(message).encode(), **headers)

    def events(self, message):
        """What a check tells: pairs of event and what it says."""
        status, text = self.post("run", message)
        equal(status, 200)
        return events_in(text)

    def answer(self, message):
        event, said = self.events(message)[-1]
        equal(event, "answer")
        return said

    def run(self, *args, wanted=None, given="", name="one", **files):
        """A check; files are written test_litmus."""
        texts = {key.replace("_", "."): text for key, text in files.items()}
        return self.answer({"id": name, "args": args, "files": texts, "wanted": wanted, "input": given})


@case
def checks(program):
    """a check answers as the command line does, and writes what the page wants"""
    with Server(program) as server:
        found = server.run("-model", "opencl.cat", "-html", "page.html", "t.litmus", wanted="page.html", t_litmus=MP)
        expected = subprocess.run([program, "-model", "opencl.cat", "-"], input=MP, capture_output=True, text=True, check=True)
        equal((found["status"], found["out"], found["error"]), (0, expected.stdout, expected.stderr))
        assert found["wanted"].startswith("<!DOCTYPE html>"), found["wanted"]
        found = server.run("t.litmus", t_litmus=MP.replace("memory_order_", "memory_oder_", 1))
        equal(found["status"], 1)
        assert "did you mean `memory_order_" in found["error"], found
        equal(list(server.scratch.iterdir()), [])


@case
def kernels(program):
    """a kernel is checked, with its macros, and repaired"""
    with Server(program) as server:
        for text in (KERNEL, "#define WHERE x[0]\n" + KERNEL.replace("x[0]", "WHERE")):
            found = server.run("-kernel", "k.cl", "-grid", "2x1", "-json", "-repair", k_cl=text)
            first, second = map(json.loads, found["out"].splitlines())
            equal((found["status"], [one["kind"] for one in first["findings"]], second["complete"]), (3, ["data_race"], True))
        equal(list(server.scratch.iterdir()), [])


@case
def models(program):
    """an edited model is also the one that installed models include"""
    with Server(program) as server:
        base = (ROOT / "cat/opencl_base.cat").read_text()
        ask = lambda text: server.post("run", {"id": "1", "args": ["-model", "opencl_rem.cat", "t.litmus"], "files": {"t.litmus": RSP, "opencl_base.cat": text}})[1]
        assert "Observation RSP_Test2 Never" in ask(base)
        assert "Observation RSP_Test2 Sometimes" in ask(base.replace("irreflexive coherence_step ; ghb as global_coherence", ""))
        assert "`rff`" in ask(base.replace("let ", "let nosuch = rff\nlet ", 1))


@case
def own_models(program):
    """a model of one's own is found as it was given, with what it includes"""
    with tempfile.TemporaryDirectory() as folder:
        own = pathlib.Path(folder) / "own.cat"
        own.write_text('OWN\ninclude "part.cat"\n')
        (own.parent / "part.cat").write_text("acyclic po | rf | co | fr as sc\n")
        for options in (["-model", str(own)], ["-model", "own.cat", "-I", folder], ["-model", f"{own} -unroll 3"]):
            with Server(program, *options) as server:
                texts = json.loads(server.ask("GET", "texts")[1])
                equal(texts["installed"]["cat/own.cat"], own.read_text())
                found = server.run("-model", *texts["models"], "t.litmus", t_litmus=MP)
                equal((found["status"], found["error"]), (0, ""))
                assert "Observation RSP_Test1 Never" in found["out"], found["out"]
                found = server.run("-model", "own.cat -I /", "t.litmus", t_litmus=MP)
                equal(found["status"], 2)


@case
def own_machines(program):
    """a machine and a mapping of one's own are found as they were given, and chosen in the page"""
    with tempfile.TemporaryDirectory() as folder:
        for name, of in (("own.machine", "rsp.machine"), ("mine.map", "revised.map")):
            (pathlib.Path(folder) / name).write_text((ROOT / "machine" / of).read_text().replace('machine "rsp"', 'machine "own"'))
        for machine, mapping in ((f"{folder}/own.machine", f"{folder}/mine.map"), (f"{folder}/own", f"{folder}/mine")):
            with Server(program, "-machine", machine, "-mapping", mapping) as server:
                texts = json.loads(server.ask("GET", "texts")[1])
                equal(texts["options"], "-machine own.machine -mapping mine.map")
                assert "machine/own.machine" in texts["installed"] and "machine/mine.map" in texts["installed"]
                found = server.run(*texts["options"].split(), "t.litmus", t_litmus=MP)
                equal((found["status"], found["error"]), (0, ""))


@case
def beginnings(program):
    """the page begins with what is installed and given, under a policy that runs its own script only"""
    with Server(program, "-model", "opencl.cat", str(ROOT / "litmus/rsp/RSP_Test2.litmus")) as server:
        status, text = server.ask("GET", "texts")
        found = json.loads(text)
        equal((status, found["models"], len(found["given"]), found["write"]), (200, ["opencl.cat"], 1, False))
        equal(found["installed"]["cat/opencl.cat"], (ROOT / "cat/opencl.cat").read_text())
        equal({"rsp/RSP_Test1.litmus", "kernels/reduce.cl"} - set(found["tests"]), set())
        assert "RSP_Test1" in found["expected"]["rsp/expected.tsv"] and "kernels/expected.tsv" in found["expected"]
        equal(server.ask("GET", "")[0], 200)
        policy = server.headers["Content-Security-Policy"]
        assert "script-src 'sha256-" in policy and "unsafe-eval" not in policy and "default-src 'none'" in policy, policy
        equal(server.headers["Cache-Control"], "no-store")


@case
def strangers(program):
    """only the page itself is answered: token, Host, Origin, methods, types, sizes"""
    with Server(program) as server:
        page = lambda **headers: server.ask("GET", "", **headers)[0]
        equal([page(token=token) for token in ("", "x", server.token[:-1], server.token + "0", server.token.upper())], [404] * 5)
        equal([page(Host=host) for host in ("evil.example", server.host.replace("127.0.0.1", "localhost"), None, "127.0.0.1")], [403, 403, 400, 403])
        equal([page(Origin=origin) for origin in ("http://evil.example", "null", f"https://{server.host}", f"http://{server.host}")], [403, 403, 403, 200])
        body = json.dumps({"id": "1", "args": ["-version"], "files": {}}).encode()
        equal([server.ask("POST", "run", body, Content_Type=kind)[0] for kind in ("text/plain", None, "application/json")], [415, 415, 200])
        equal([server.ask(method, "")[0] for method in ("PUT", "DELETE", "OPTIONS")], [405] * 3)
        equal([server.ask("GET", path)[0] for path in ("../", "..%2f..%2fetc/passwd", "texts/", "run", "%00")], [404, 400, 404, 404, 400])
        equal(server.ask("POST", "run", b" " * ((16 << 20) + 1))[0], 413)
        with server.connect() as connection:
            connection.sendall(f"POST /{server.token}/run HTTP/1.1\r\nHost: {server.host}\r\nContent-Type: application/json\r\n"
                               f"Content-Length: {1 << 63}\r\n\r\n".encode() + body)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(100).startswith(b"HTTP/1.1 413 ")
        equal(server.ask("POST", "run", b"0\r\n\r\n", Content_Length=None, Transfer_Encoding="chunked")[0], 411)
        equal([server.ask("POST", "run", text)[0] for text in (b"", b"[" * 100000, b"\0", b'{"a":', b"[]", b"\xff")], [400] * 6)
        equal(server.post("save", {"name": "x.litmus", "text": ""})[0], 404)
        host, port = server.host.split(":")
        for junk in (b"\0" * 1000, b"GET " + b"x" * 100000, b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 100000):
            with socket.create_connection((host, int(port))) as connection:
                try:
                    connection.sendall(junk)
                except OSError:
                    pass
        equal(page(), 200)


@case
def outside(program):
    """a check reads and writes its own folder and installed models only, and runs nothing"""
    with Server(program) as server:
        secret = server.folder / "secret.cat"
        secret.write_text("hush")
        include = f'"m"\ninclude "{secret}"\n'
        options = {"w.cl": f"-wrapper sh,w.sh #\n", "w.sh": f"cat {secret} >&2; touch {server.folder}/written\n", "lift.cfg": "confined false\n", "@w.cl": "#\n" + KERNEL}
        kernels = {f"{i}.cl": text for i, text in enumerate((f'#include "{secret}"\n', f'#in\\\nclude "{secret}"\n', f'%:include "{secret}"\n',
                                                              f'#define F "{secret}"\n#include F\n', f'#import "{secret}"\n', f'#pragma GCC dependency "{secret}"\n'))}
        for args in (["-model", str(secret), "t.litmus"], ["-model", "m.cat", "t.litmus"], ["-model", "m.cat -I /", "t.litmus"], [str(secret)],
                     [f"@{secret}"], ["-conf", str(secret)], ["-watch", str(server.folder / "w"), "-model", "opencl.cat", "-model", "rc11.cat", "t.litmus"], ["-names", str(secret), "t.litmus"], ["-kinds", "../in", "t.litmus"],
                     ["-html", str(server.folder / "page.html"), "t.litmus"], ["-o", "../up", "t.litmus"], ["-resume", str(server.folder / "r"), "t.litmus"],
                     ["-run", "c11", "t.litmus"], ["-emit", "c11", "-o", "x", "t.litmus"], ["-kernel", "k.cl", "-grid", "2x1"], ["-serve"],
                     ["-kernel", str(secret), "-grid", "1x1"], ["-kernel", "../in", "-grid", "1x1"], ["-kernel", "d.cl", "-include", str(secret), "-grid", "1x1"],
                     *(["-kernel", name, "-grid", "1x1"] for name in kernels),
                     ["-confined=false", str(secret)], ["-conf", "lift.cfg", str(secret)], ["-max-memory", "64G", "t.litmus"], ["-kernel", "@w.cl", "-grid", "1x1", "-include", "@w.cl"],
                     ["-compile", str(secret), "t.litmus"], ["-mapping", "m.map", "-machine", "rsp", "t.litmus"], [".."], [".", "-I", "/"]):
            told = server.events({"id": "1", "args": args, "files": {"t.litmus": MP, "m.cat": include, "k.cl": include, "d.cl": KERNEL, **kernels, **options}})
            assert told[-1][1]["status"] != 0 and "hush" not in str(told), (args, told)
        found = server.run("-kernel", "@w.cl", "-grid", "1x1", **options)
        equal((found["status"], found["error"]), (0, ""))
        found = server.run("-relax", "-o", "far", "t.litmus", t_litmus=MP.replace("RSP_Test1", "../../../far", 1))
        assert found["error"] == "" and "far" in found["out"], found
        for files in ({"../x": ""}, {"/tmp/x": ""}, {"": ""}, {".": ""}, {"a/b": ""}, {"a": 1}, {"-html": ""}, {"x" * 200: ""}, {str(i): "" for i in range(200)}):
            found = server.answer({"id": "1", "args": ["-version"], "files": files})
            equal((found["status"], found["out"]), (-1, ""))
        for message in ({}, {"args": []}, {"args": ["x"] * 1000, "files": {}}, {"args": [1], "files": {}}, {"args": [], "files": []},
                        {"args": [], "files": {}, "wanted": "../in"}, {"args": [], "files": {}, "watched": "../in"}):
            equal(server.post("run", message)[0], 503)
        equal([path.name for path in server.folder.iterdir()], ["secret.cat"])
        equal(list(server.scratch.iterdir()), [])


@case
def saving(program):
    """-write saves tests and models below its folder, and nothing else"""
    with Server(program, "-write") as server:
        (server.folder / "in").mkdir()
        (server.folder / "out").symlink_to(server.scratch)
        (server.folder / "link.cat").symlink_to(server.scratch / "x.cat")
        save = lambda name: server.post("save", {"name": name, "text": "new"})[0]
        equal([save(name) for name in ("a.litmus", "in/b.cat")], [200] * 2)
        equal([save(name) for name in ("/tmp/x.cat", "../x.cat", "out/x.cat", "link.cat", "a.sh", ".bashrc", "", None, "no/a.cat", "in/../../x.cat")], [403] * 10)
        equal([(server.folder / name).read_text() for name in ("a.litmus", "in/b.cat")], ["new"] * 2)
        equal(list(server.scratch.iterdir()), [])


@case
def opening(program):
    """the browser gets the token in a file that only its owner reads, not among its arguments"""
    with tempfile.TemporaryDirectory() as folder:
        opener = pathlib.Path(folder) / "xdg-open"
        opener.write_text('#!/bin/sh\ncp "$1" page; stat -c %a "$1" > mode; echo "$*" > said; mv said arguments\n')
        opener.chmod(0o755)
        with Server(program, opener=folder) as server:
            found = lambda name: (server.folder / name).read_text()
            soon(lambda: (server.folder / "arguments").exists())
            equal((found("mode"), server.token in found("arguments"), f"url={server.address}" in found("page")), ("600\n", False, True))
            server.process.send_signal(signal.SIGINT)
            equal(server.process.wait(20), 0)
            equal(list(server.scratch.iterdir()), [])


@case
def stopping(program):
    """a check that would take hours is stopped, alone or with the server"""
    with Server(program) as server, concurrent.futures.ThreadPoolExecutor(4) as pool:
        first = pool.submit(server.answer, {"id": "long", "args": ["-model", ENDLESS, "t.litmus"], "files": {"t.litmus": HEAVY}})
        while not list(server.scratch.glob("*/out")):
            time.sleep(0.02)
        equal(server.post("stop", {"id": "other"})[0], 200)
        equal(first.done(), False)
        server.post("stop", {"id": "long"})
        equal(first.result(), None)
        equal(list(server.scratch.iterdir()), [])
        pool.submit(server.post, "run", {"id": "again", "args": ["-model", ENDLESS, "t.litmus"], "files": {"t.litmus": HEAVY}})
        while not list(server.scratch.glob("*/out")):
            time.sleep(0.02)
        server.process.send_signal(signal.SIGINT)
        equal(server.process.wait(20), 0)
        equal(list(server.scratch.iterdir()), [])


@case
def early_stop(program):
    """a stop that overtakes its check ends it, and no other one"""
    with Server(program) as server:
        endless = {"args": ["-model", ENDLESS, "t.litmus"], "files": {"t.litmus": HEAVY}}
        for name in ("early", "x" * 1000, None):
            equal(server.post("stop", {"id": name})[0], 200)
        equal(server.answer({"id": "early", **endless}), None)
        equal([server.answer({"id": name, "args": ["-version"], "files": {}})["status"] for name in ("early", "x" * 1000)], [0] * 2)


@case
def leaving(program):
    """a check ends whose client has gone, whether it runs or waits, and leaves no descriptor"""
    with Server(program) as server:
        before = server.descriptors()
        body = json.dumps({"id": "1", "args": ["-model", ENDLESS, "t.litmus"], "files": {"t.litmus": HEAVY}}).encode()
        host, port = server.host.split(":")
        head = f"POST /{server.token}/run HTTP/1.1\r\nHost: {server.host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        clients = [socket.create_connection((host, int(port))) for _ in range(os.cpu_count() + 2)]
        for client in clients:
            client.sendall(head.encode() + body)
        while not list(server.scratch.glob("*/out")):
            time.sleep(0.02)
        for client in clients:
            client.close()
        while list(server.scratch.iterdir()):
            time.sleep(0.02)
        equal(server.run("-version")["status"], 0)
        soon(lambda: server.descriptors() <= before)


def begin(server, message):
    """Sends a check's request; the socket, for what comes of it."""
    body = json.dumps(message).encode()
    host, port = server.host.split(":")
    client = socket.create_connection((host, int(port)), 60)
    client.sendall(f"POST /{server.token}/run HTTP/1.1\r\nHost: {server.host}\r\nContent-Type: application/json\r\n"
                   f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    return client


def told_by(client):
    """The events that come, one at a time."""
    lines = (line.decode().rstrip("\n") for line in client.makefile("rb"))
    for line in lines:
        if line.startswith("event: "):
            yield line.removeprefix("event: "), json.loads(next(lines).removeprefix("data: "))


def is_ended(client):
    """Does the server end the connection without an answer?"""
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


def is_answered(client):
    """Does its check come to an answer before the server ends?"""
    try:
        return any(event == "answer" for event, _ in told_by(client))
    except ConnectionResetError:
        return False


@case
def streams(program):
    """a check tells what is known while it runs: who waits, models that have answered, how far a search is"""
    with Server(program) as server:
        search = begin(server, {"id": "1", "args": ["-watch", "w", "-distinguish", "-events", "4", "-model", "opencl.cat", "-model", "opencl_rem.cat"], "files": {}, "watched": "w"})
        told = told_by(search)
        equal(next(told)[0], "running")
        event, known = next(told)
        assert event == "watched" and known.startswith('{"searched":"'), (event, known)
        search.shutdown(socket.SHUT_RDWR)  # `told` still holds it
        args = ["-json", "-watch", "found", "-model", "sc.cat", "-model", ENDLESS, "t.litmus"]
        checks = [begin(server, {"id": str(i), "args": args, "files": {"t.litmus": HEAVY}, "watched": "found"}) for i in range(os.cpu_count())]
        for check in checks:
            watched = (json.loads(said) for event, said in told_by(check) if event == "watched")
            found = next(known for known in watched if "partial" not in known)
            equal([model["name"] for model in found["models"]], ["sc"])
            equal(len(found["tests"][0]["states"]), 13)
        last = begin(server, {"id": "last", "args": ["-version"], "files": {}})
        told = told_by(last)
        equal(next(told), ("waiting", 0))
        for check in checks:
            check.close()
        equal([next(told)[0], next(told)[0]], ["running", "answer"])
        last.close()


@case
def unread(program):
    """clients that do not read what they are told keep nobody waiting: their checks end all the same"""
    with Server(program) as server:
        text = MP.replace("\n", "\n(*" + "x" * 100000 + "*)\n", 1)
        files = {f"{i}.litmus": text for i in range(40)}
        args = ["-json", "-watch", "found", "-model", "sc.cat", "-model", "opencl.cat", *files]
        sleepers = [begin(server, {"id": str(i), "args": args, "files": files, "watched": "found"}) for i in range(6)]
        equal(server.run("t.litmus", t_litmus=MP)["status"], 0)
        while list(server.scratch.iterdir()):
            time.sleep(0.02)
        equal([is_answered(sleeper) for sleeper in sleepers[:2]], [True] * 2)
        for sleeper in sleepers:
            sleeper.close()
        equal(server.run("-version")["status"], 0)


@case
def large(program):
    """a check's files have a limit, and so has what the server holds for all clients"""
    with Server(program) as server:
        def answer(message):
            return events_in(server.ask("POST", "run", json.dumps(message, ensure_ascii=False).encode())[1])[-1][1]

        test = MP.replace("\n", "\n(*" + "<" * (3 << 20) + "*)\n", 1)  # six times as long on the page
        found = answer({"args": ["-model", "sc.cat", "-html", "page.html", "t.litmus"], "files": {"t.litmus": test}, "wanted": "page.html"})
        equal((found["status"], found["error"], len(found["wanted"])), (1, "error: cannot write page.html: File too large\n", 0))
        head = f"POST /{server.token}/run HTTP/1.1\r\nHost: {server.host}\r\nContent-Type: application/json\r\nContent-Length: {16 << 20}\r\n\r\n"
        clients = [server.connect() for _ in range(8)]
        for client in clients:
            client.sendall(head.encode() + b" " * (16000 << 10))
        message = {"args": ["-version"], "files": {"w": "\x7f" * (1 << 20)}, "wanted": "w"}
        soon(lambda: answer(message)["error"] == "error: the answer is too long, or others have not been read\n")
        with server.connect() as more:
            with contextlib.suppress(ConnectionError):
                more.sendall(head.encode() + b" " * (5 << 20))
            equal(is_ended(more), True)
        for client in clients:
            client.close()
        soon(lambda: answer(message)["wanted"] == message["files"]["w"])


@case
def slow(program):
    """clients that send their requests slowly, or do not read their answers, keep nobody waiting"""
    with Server(program) as server:
        host, port = server.host.split(":")
        head = f"GET /{server.token}/texts HTTP/1.1\r\nHost: {server.host}\r\n"
        body = head.replace("GET", "POST").replace("texts", "run") + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
        clients = [(socket.create_connection((host, int(port))), text) for text in (head[:9], head, body, head + "\r\n") for _ in range(40)]
        for client, text in clients:
            client.sendall(text.encode())
        for client, _ in clients[:80]:
            with contextlib.suppress(OSError):  # its time may be over, on a busy machine
                client.sendall(b"x")
            equal(server.ask("GET", "")[0], 200)
        equal(server.run("t.litmus", t_litmus=MP)["status"], 0)
        for client, _ in clients:
            client.close()
        equal(server.ask("GET", "")[0], 200)


@case
def idle(program):
    """clients that ask for nothing make room for the page, also when descriptors are lacking, and are ended at last"""
    for spare, n in ((1000, 600), (3, 60)):  # descriptors above those that it has: more than the cap, and fewer
        with Server(program) as server:
            before = server.descriptors()
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (before + spare, before + spare))
            clients = [server.connect() for _ in range(n)]
            equal([server.ask("GET", "")[0] for _ in range(2)], [200] * 2)
            equal(server.descriptors() < before + 550, True)
            for client in clients:
                client.close()
            with server.connect() as silent, server.connect() as slow:
                slow.sendall(f"GET /{server.token}/ HTTP/1.1\r\n".encode())
                equal([is_ended(client) for client in (silent, slow)], [True] * 2)
            soon(lambda: server.descriptors() <= before)


@case
def rude(program):
    """clients that go in the middle of anything leave nothing behind: no descriptor, no check, no message of libsoup"""
    with Server(program) as server:
        before = server.descriptors()
        head = f"/{server.token}/texts HTTP/1.1\r\nHost: {server.host}\r\n"
        body = json.dumps({"id": "1", "args": ["-version"], "files": {}})
        post = f"POST {head.replace('texts', 'run')}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        texts = ["", "GET ", f"GET {head}", f"GET {head}\r\n", post, post + body[:5], post + body, post.replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"),
                 f"GET {head}Transfer-Encoding: chunked\r\n\r\n5\r\nabc", f"GET {head}Range: bytes=0-10,20-30\r\n\r\n", f"GET {head}\r\nGET {head}\r\n"]
        for text in texts * 3:
            for end in range(3):
                client = server.connect()
                client.sendall(text.encode())
                if end == 1:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset
                elif end == 2:
                    client.shutdown(socket.SHUT_WR)
                client.close()
        for _ in range(30):
            equal(server.ask("GET", "texts")[0], 200)
        soon(lambda: server.descriptors() <= before and not list(server.scratch.iterdir()))


@case
def endless(program):
    """a body is counted as it comes, whatever its head says"""
    with Server(program) as server:
        head = f"/{server.token}/run HTTP/1.1\r\nHost: {server.host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        equal(server.ask("POST", "run", b"2\r\n{}\r\n0\r\n\r\n", Content_Length="2", Transfer_Encoding="chunked")[0], 411)
        for start in (f"POST {head}Content-Length: 2\r\n\r\n", f"POST {head}\r\n", f"GET {head}\r\n"):
            with server.connect() as client:
                try:
                    client.sendall(start.encode())
                    for _ in range(1000):  # 1 GB
                        client.sendall(b"100000\r\n" + b" " * (1 << 20) + b"\r\n")
                    raise AssertionError("it reads on")
                except ConnectionError:
                    pass
            equal(server.ask("GET", "")[0], 200)


@case
def two_pages(program):
    """two pages of one server: each gets its own answer, stops its own check, and goes on when the other is closed"""
    with Server(program) as server, concurrent.futures.ThreadPoolExecutor(4) as pool:
        endless = {"args": ["-model", ENDLESS, "t.litmus"], "files": {"t.litmus": HEAVY}}
        first, second = begin(server, {"id": "a", **endless}), pool.submit(server.answer, {"id": "b", **endless})
        while len(list(server.scratch.glob("*/out"))) < min(2, os.cpu_count()):
            time.sleep(0.02)
        first.close()
        while len(list(server.scratch.iterdir())) > 1:
            time.sleep(0.02)
        equal(second.done(), False)
        third = pool.submit(server.run, "t.litmus", name="c", t_litmus=RSP)
        assert "RSP_Test2" in third.result()["out"]
        equal(second.done(), False)
        server.post("stop", {"id": "b"})
        equal(second.result(), None)


@case
def trickle(program):
    """a body that comes a byte at a time, or in full but too large, holds nobody else's check back"""
    with Server(program) as server:
        host, port = server.host.split(":")
        head = f"POST /{server.token}/run HTTP/1.1\r\nHost: {server.host}\r\nContent-Type: application/json\r\nContent-Length: "
        body = json.dumps({"id": "slow", "args": ["-version"], "files": {}})
        clients = [socket.create_connection((host, int(port)), 60) for _ in range(20)]
        for client in clients:
            client.sendall(f"{head}{len(body)}\r\n\r\n".encode())
        for letter in body:
            for client in clients[1:]:
                client.sendall(letter.encode())
            equal(server.ask("GET", "")[0], 200)
        equal([is_answered(client) for client in clients[1:]], [True] * 19)
        equal(server.ask("POST", "run", b"{" + b" " * (16 << 20), Content_Type="application/json")[0], 413)
        equal(server.run("-version")["status"], 0)
        clients[0].sendall(body.encode())
        equal(is_answered(clients[0]), True)


@case
def end_of_server(program):
    """a server that ends while checks run and wait: its clients see the end, and no process and no file of it stays"""
    for end in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        with Server(program) as server:
            clients = [begin(server, {"id": str(i), "args": ["-model", ENDLESS, "t.litmus"], "files": {"t.litmus": HEAVY}}) for i in range(os.cpu_count() + 1)]
            while len(list(server.scratch.glob("*/out"))) < os.cpu_count():
                time.sleep(0.02)
            server.process.send_signal(end)
            equal(server.process.wait(20), -end if end == signal.SIGKILL else 0)
            for client in clients:
                equal(is_answered(client), False)
                client.close()
            folders = {str(path) for path in server.scratch.iterdir()}
            equal(folders == set(), end != signal.SIGKILL)  # which leaves no time to remove them
            soon(lambda: not any(str(server.scratch) in where for where in places_of_processes()))  # its checks die with it


def places_of_processes():
    """The folders in which this machine's processes run, as far as they can be seen."""
    for process in pathlib.Path("/proc").glob("[0-9]*/cwd"):
        try:
            yield os.readlink(process)
        except OSError:
            pass


@case
def crowd(program):
    """200 checks at once are all answered"""
    with Server(program) as server, concurrent.futures.ThreadPoolExecutor(200) as pool:
        def ask(i):
            while True:  # more connections at a time than wait in the system's queue are reset
                try:
                    return server.answer({"id": str(i), "args": ["-q", "-j", "1", "t.litmus"], "files": {"t.litmus": MP}})
                except ConnectionResetError:
                    time.sleep(0.05)
        found = list(pool.map(ask, range(200)))
        equal(len({one["out"] for one in found}), 1)


def is_absent(program):
    return "without libsoup" in subprocess.run([program, "-serve", "nosuch.litmus"], capture_output=True, text=True, check=False).stderr


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    if is_absent(program):
        print("serve: skipped: built without libsoup\n1 passed, 0 failed")
        return 0

    def run(function):
        try:
            function(program)
        except (AssertionError, OSError, ValueError, subprocess.SubprocessError):
            return traceback.format_exc()
        return ""
    return cases.report("serve", [(title, f) for title, f in CASES if word in title], run)


if __name__ == "__main__":
    sys.exit(main())

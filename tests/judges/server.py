"""A local server that speaks the chat completions protocol, and answers as real ones do.

It judges by a rule of its own, so that what comes back is known: `quality` maps a summary's text to
a number from 0 to 1. A `script` decides how each request is answered: well, late, with prose around
the number, cut off, refused, with an error status, or not at all.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

SUMMARY = re.compile(r"<(?:summary|sentence)>\n(.*?)\n</(?:summary|sentence)>", re.DOTALL)
PAIR = re.compile(r"<summary-a>\n(.*?)\n</summary-a>.*<summary-b>\n(.*?)\n</summary-b>", re.DOTALL)
RANGE = re.compile(r"whole number from (-?\d+) to (\d+)|one option, from (\d+) to (\d+)")

Script = Callable[[int, dict[str, Any]], "Reply | None"]


@dataclass
class Reply:
    """An answer out of the ordinary; what is None is as usual."""

    status: int = 200
    text: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    raw: bytes | None = None
    finish: str | None = None
    refusal: str | None = None
    drop: bool = False
    tokens: list[dict[str, Any]] | None = None


@dataclass
class JudgeServer:
    """What the server offers, what it was sent, and how it answers."""

    quality: Callable[[str], float] = lambda text: 0.75
    script: Script = lambda number, body: None
    key: str | None = None
    logprobs: bool = True
    schema: bool = True
    models: tuple[str, ...] = ("tiny",)
    refused: tuple[str, ...] = ()
    prefers_first: float = 0.0
    seen: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""
    lock: Lock = field(default_factory=Lock)

    @property
    def judged(self) -> list[dict[str, Any]]:
        """What it was sent but for tests of what it offers."""
        return [body for body in self.seen if "This is a test." not in prompt_of(body)]

    def answer(self, body: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
        """What a model of this quality would answer, and its tokens."""
        options = self.weights(body)
        best = max(options, key=lambda option: options[option])
        as_json = self.schema and "response_format" in body
        numeric = best.lstrip("-").isdigit()
        text = f'{{"answer": {best if numeric else json.dumps(best)}}}' if as_json else best
        top = [
            {"token": token, "logprob": math.log(share)}
            for option, share in options.items()
            for token, share in spread(option, share)
            if share > 1e-9
        ]
        top = sorted(top, key=lambda each: -each["logprob"])[: body.get("top_logprobs", 0)]
        before = ['{"', "answer", '":'] if as_json else []
        tokens = [
            *({"token": token, "logprob": 0.0, "top_logprobs": []} for token in before),
            {"token": f" {best}" if as_json else best, "logprob": 0.0, "top_logprobs": top},
        ]
        return text, tokens

    def weights(self, body: dict[str, Any]) -> dict[str, float]:
        """How likely each option is: a bell around the quality."""
        content = prompt_of(body)
        if pair := PAIR.search(content):
            lead = self.quality(pair[1]) + self.prefers_first - self.quality(pair[2])
            first = 1 / (1 + math.exp(-8 * lead))
            return {"A": first, "B": 1 - first}
        if "This is a test." in content:
            return {"1": 0.9, "2": 0.1}
        bounds = RANGE.search(content)
        assert bounds, content
        low, high = (int(each) for each in bounds.groups() if each is not None)
        summary = SUMMARY.search(content)
        target = low + (high - low) * self.quality(summary[1] if summary else "")
        bell = {str(n): math.exp(-((n - target) ** 2)) for n in range(low, high + 1)}
        total = sum(bell.values())
        return {option: weight / total for option, weight in bell.items()}


def spread(option: str, share: float) -> list[tuple[str, float]]:
    """An option as two tokens, with and without a blank, as tokenizers have them."""
    return [(option, 0.6 * share), (f" {option}", 0.4 * share)]


def prompt_of(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"])


def completion(text: str | None, tokens: Any, finish: str, refusal: str | None) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    choice["logprobs"] = None if tokens is None else {"content": tokens}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [choice],
        "usage": {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102},
    }


@contextmanager
def running(server: JudgeServer) -> Iterator[JudgeServer]:
    """The server at an address of its own."""
    handler = type("Handler", (_Handler,), {"judge": server})
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    http.daemon_threads = True
    http.handle_error = lambda *_: None  # who asked may be gone
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()


class _Handler(BaseHTTPRequestHandler):
    judge: JudgeServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        judge = self.judge
        with judge.lock:
            judge.seen.append(body)
            number = len(judge.seen)
        reply = judge.script(number, body)
        if reply is None:
            reply = self._usual(body)
        if reply.drop:
            self.close_connection = True
            self.connection.close()
            return
        if reply.status == 200 and reply.body is None and reply.raw is None:
            text, tokens = judge.answer(body)
            wanted = judge.logprobs and body.get("logprobs")
            reply.body = completion(
                None if reply.refusal else (text if reply.text is None else reply.text),
                (reply.tokens or tokens) if wanted and reply.text is None else None,
                reply.finish or "stop",
                reply.refusal,
            )
        content = json.dumps(reply.body).encode() if reply.raw is None else reply.raw
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _usual(self, body: dict[str, Any]) -> Reply:
        judge = self.judge
        if self.path != "/v1/chat/completions":
            return error(404, "Not Found")
        if judge.key is not None and self.headers.get("Authorization") != f"Bearer {judge.key}":
            return error(401, f"Incorrect API key: {self.headers.get('Authorization')}")
        if body["model"] not in judge.models:
            return error(404, f"The model {body['model']} does not exist", "model_not_found")
        for name in judge.refused:
            if name in body:
                return error(400, f"Unsupported parameter: '{name}' is not supported.")
        return Reply()

    def log_message(self, format: str, *args: object) -> None:
        pass


def error(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    shown = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, body={"error": {"message": message, "code": code}}, headers=shown)

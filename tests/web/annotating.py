"""Annotators who work through HTTP as browsers do, and who try again when nobody answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any
from uuid import uuid4

from web.annotate.answering import whole

TOKEN = "c" * 32
_TRIES = 600


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    body: bytes


@dataclass
class Annotator:
    """Somebody with a session who does tasks until none is left.

    `acknowledged` has the key of every submission that the server said it has.
    """

    port: int
    campaign: str
    session: str
    told: Callable[[], None]
    acknowledged: list[str] = field(default_factory=list)

    def work(self) -> None:
        while (task := self._next()) is not None:
            payload = json.loads(self._request("GET", f"/api/tasks/{task}").body)
            sent = {"key": str(uuid4()), "answer": whole(payload)}
            first = self._request("POST", f"/api/tasks/{task}/submit", sent)
            assert first.status == 200, first.body
            self.acknowledged.append(sent["key"])
            self.told()
            again = self._request("POST", f"/api/tasks/{task}/submit", sent)
            assert (again.status, again.body) == (200, first.body)

    def _next(self) -> int | None:
        reply = self._request("POST", f"/api/campaigns/{self.campaign}/next")
        assert reply.status == 200, reply.body
        task: int | None = json.loads(reply.body)["task"]
        return task

    def _request(self, method: str, path: str, body: Any = None) -> Reply:
        """Send until there is a reply: what is lost on the way is sent again, as it was."""
        for _ in range(_TRIES):
            try:
                reply = self._request_once(method, path, body)
            except (OSError, HTTPException):
                time.sleep(0.05)
                continue
            return reply
        raise AssertionError(f"nobody answers {method} {path}")

    def _request_once(self, method: str, path: str, body: Any) -> Reply:
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "Content-Type": "application/json",
        }
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return Reply(answer.status, answer.read())
        finally:
            connection.close()

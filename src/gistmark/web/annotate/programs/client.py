"""The platform's API over HTTP, for programs of ours that work as annotators do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

from gistmark.errors import GistmarkError, UsageError

_PATIENCE = 60
"""So many seconds a request may take."""


class Api:
    """The API of a server, over one connection that is opened again when the server closed it."""

    def __init__(self, connection: HTTPConnection, headers: Mapping[str, str]) -> None:
        self._connection = connection
        self._headers = {"Content-Type": "application/json", **headers}

    def request(self, method: str, path: str, token: str, body: object = None) -> Any:
        """The reply; whatever is not a success is an error."""
        headers = {**self._headers, "Authorization": f"Bearer {token}"}
        content = None if body is None else json.dumps(body)
        status, reply = self._send(method, f"/api/{path}", content, headers)
        if not 200 <= status < 300:
            raise GistmarkError(f"The API refused {path} ({status}): {reply.decode()}")
        return json.loads(reply) if reply else None

    def _send(
        self, method: str, path: str, content: str | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """Sent once more if nobody answers: every request here may safely arrive twice."""
        for last in (False, True):
            try:
                self._connection.request(method, path, content, dict(headers))
                response = self._connection.getresponse()
                return response.status, response.read()
            except (OSError, HTTPException) as error:
                self._connection.close()
                if last:
                    raise GistmarkError(f"The server does not answer: {error}") from error
        raise AssertionError("the last attempt returns or raises")


class _QuietHandler(WSGIRequestHandler):
    """Answers requests without a line for each of them on the terminal."""

    disable_nagle_algorithm = True  # else every reply waits for the acknowledgement of its head

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


@contextmanager
def own_server() -> Iterator[Api]:
    """A server of the platform in this process, on a free port, for as long as it is needed.

    It is reached under a name that the settings allow, and as if through their proxy.
    """
    server = ThreadedWSGIServer(("127.0.0.1", 0), _QuietHandler)
    server.set_app(WSGIHandler())
    thread = Thread(target=server.serve_forever, name="own server", daemon=True)
    thread.start()
    host = next((each for each in settings.ALLOWED_HOSTS if each.strip("*")), "localhost")
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=_PATIENCE)
    try:
        yield Api(connection, {"Host": host.lstrip("."), "X-Forwarded-Proto": "https"})
    finally:
        connection.close()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def server_at(url: str) -> Iterator[Api]:
    """A server that somebody else runs."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
        raise UsageError(f"The address of a server is like http://127.0.0.1:8000, not {url!r}.")
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=_PATIENCE)
    try:
        yield Api(connection, {})
    finally:
        connection.close()

"""Requests that never end: whoever sends one too slowly is hung up on.

A worker answers a few requests side by side, and one whose head or body is only half sent would
hold its thread for as long as its sender likes. A head has `GRACE` seconds; a body has as many, and
a second more for every `RATE` bytes that have come.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, Protocol

GRACE = 20.0
RATE = 10_000
_PERIOD = 0.5


class _Stream(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...

    def readline(self, size: int = -1, /) -> bytes: ...


class Watch:
    """Sockets and when to hang up on them, looked after by a thread of its own."""

    def __init__(self) -> None:
        self._deadlines: dict[socket.socket, float] = {}
        self._lock = Lock()
        self._thread: Thread | None = None

    def set(self, client: socket.socket, deadline: float) -> None:
        """Hang up at this time of the monotonic clock."""
        with self._lock:
            self._deadlines[client] = deadline
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="deadlines", daemon=True)
                self._thread.start()

    def clear(self, client: socket.socket) -> None:
        """Do not hang up any more."""
        with self._lock:
            self._deadlines.pop(client, None)

    def _run(self) -> None:
        while True:
            time.sleep(_PERIOD)
            now = time.monotonic()
            with self._lock:
                late = [client for client, deadline in self._deadlines.items() if deadline < now]
                for client in late:
                    del self._deadlines[client]
                    with suppress(OSError):
                        client.shutdown(socket.SHUT_RDWR)


WATCH = Watch()


class TimedBody:
    """The body of a request, whose deadline moves on as it comes in."""

    def __init__(self, stream: _Stream, length: int, client: socket.socket) -> None:
        self._stream = stream
        self._length = length
        self._client = client
        self._began = time.monotonic()
        self._received = 0
        self._count(b"")

    def read(self, size: int = -1, /) -> bytes:
        return self._count(self._stream.read(size))

    def readline(self, size: int = -1, /) -> bytes:
        return self._count(self._stream.readline(size))

    def readlines(self, _: int = -1, /) -> list[bytes]:
        return list(self)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def _count(self, data: bytes) -> bytes:
        self._received += len(data)
        if self._received >= self._length:
            WATCH.clear(self._client)
        else:
            WATCH.set(self._client, self._began + GRACE + self._received / RATE)
        return data


def with_deadlines(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """The WSGI application, reading bodies under a deadline where gunicorn serves it."""

    def timed(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        client = environ.get("gunicorn.socket")
        if client is None:
            return application(environ, start_response)
        text = environ.get("CONTENT_LENGTH") or "0"
        length = int(text) if text.isdecimal() else 0
        environ["wsgi.input"] = TimedBody(environ["wsgi.input"], length, client)
        try:
            return application(environ, start_response)
        finally:
            WATCH.clear(client)

    return timed


def patient_worker() -> type:
    """gunicorn's worker with threads, which hangs up where the head of a request never ends."""
    from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

    class PatientWorker(ThreadWorker):  # type: ignore[misc]
        """Hangs up on whoever does not finish the head of a request in time."""

        def handle(self, conn: Any) -> Any:
            client = conn.sock
            WATCH.set(client, time.monotonic() + GRACE)
            try:
                return super().handle(conn)
            finally:
                WATCH.clear(client)

    return PatientWorker

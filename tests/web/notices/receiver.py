"""A server on this machine that webhooks are sent to; it verifies every signature itself."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Receiver:
    """What arrived; `status` is what is answered."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.status = 204
        self.requests: list[tuple[dict[str, str], bytes]] = []

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.requests]


def is_signed(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """What a receiver does: recompute the signature as the documentation says."""
    timestamp = headers["Gistmark-Timestamp"]
    wanted = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    is_fresh = abs(time.time() - int(timestamp)) < 300
    return is_fresh and hmac.compare_digest(headers["Gistmark-Signature"], f"sha256={wanted}")


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver that answers until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.requests.append((dict(self.headers), body))
            self.send_response(receiver.status)
            if receiver.status == 302:
                self.send_header("Location", f"{receiver.url}elsewhere/")
            self.end_headers()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_address[1]}/hook/")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

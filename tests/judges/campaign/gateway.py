"""Something between a client and a platform that loses requests and replies, as networks do.

A `script` says what becomes of each request, by its method and path: None passes it on; `lost`
passes it on and drops the reply; `down` drops the request; a number is a status to answer with.
Without a platform behind it, a text is the whole reply.
"""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

Fate = int | str | tuple[int, str, dict[str, str]] | None
Script = Callable[[str, str], Fate]


@dataclass
class Gateway:
    """Where it leads to, what it does, and what it has seen."""

    target: str = ""
    script: Script = lambda method, path: None
    certificate: Path | None = None
    seen: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    cookies: set[str | None] = field(default_factory=set)
    url: str = ""


@contextmanager
def standing(gateway: Gateway) -> Iterator[Gateway]:
    """The gateway at an address of its own."""
    handler = type("Handler", (_Handler,), {"gateway": gateway})
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    http.daemon_threads = True
    http.handle_error = lambda *_: None  # who asked may be gone
    scheme = "http"
    if gateway.certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(gateway.certificate)
        http.socket = context.wrap_socket(http.socket, server_side=True)
        scheme = "https"
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    gateway.url = f"{scheme}://127.0.0.1:{http.server_address[1]}"
    try:
        yield gateway
    finally:
        http.shutdown()
        http.server_close()


class _Handler(BaseHTTPRequestHandler):
    gateway: Gateway
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        self.gateway.seen.append(f"{self.command} {self.path}")
        self.gateway.tokens.add(self.headers.get("Authorization", ""))
        self.gateway.cookies.add(self.headers.get("Cookie"))
        fate = self.gateway.script(self.command, self.path)
        if fate == "down":
            return self._drop()
        if isinstance(fate, int):
            return self._reply(fate, b"<h1>Bad gateway</h1>", {})
        if isinstance(fate, tuple):
            return self._reply(fate[0], fate[1].encode(), fate[2])
        status, content, kind = self._passed_on(body)
        if fate == "lost":
            return self._drop()
        return self._reply(status, content, {"Content-Type": kind})

    do_GET = do_POST = do_PATCH = answer  # noqa: N815

    def _passed_on(self, body: bytes) -> tuple[int, bytes, str]:
        parts = urlsplit(self.gateway.target)
        assert parts.hostname is not None
        connection = HTTPConnection(parts.hostname, parts.port, timeout=30)
        sent = {name: self.headers[name] for name in ("Authorization", "Content-Type")}
        connection.request(self.command, self.path, body or None, sent)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, content, response.headers.get("Content-Type", "")

    def _reply(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.close()

    def log_message(self, format: str, *args: object) -> None:
        pass


def self_signed(folder: Path, subject: str = "IP:127.0.0.1") -> Path:
    """A certificate that nobody vouches for, with its key; alone it is in `cert.pem`."""
    key, certificate, both = (folder / name for name in ("key.pem", "cert.pem", "both.pem"))
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
               "-subj", "/CN=test", "-addext", f"subjectAltName={subject}",
               "-keyout", str(key), "-out", str(certificate)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    both.write_bytes(key.read_bytes() + certificate.read_bytes())
    return both

"""A server of the platform in this process, for programs of ours that work as annotators do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

from gistmark.judges.campaign.client import PATIENCE, Api
from gistmark.runtime.http import HttpClient


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
    address = f"http://127.0.0.1:{server.server_port}"
    headers = {"Host": host.lstrip("."), "X-Forwarded-Proto": "https"}
    try:
        with HttpClient(address, timeout=PATIENCE, keep_open=True) as client:
            yield Api(client, address, headers)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

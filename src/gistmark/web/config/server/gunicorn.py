"""Serving the platform with gunicorn, started from Python."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_address
from threading import Thread
from typing import Any

from gistmark.errors import GistmarkError, MissingExtraError, UsageError
from gistmark.web.config.server.deadlines import patient_worker, with_deadlines
from gistmark.web.config.server.logs import redact_servers_log

_LOG = logging.getLogger(__name__)
_THREADS = 4
"""How many requests a worker answers side by side, so that a slow visitor holds up nobody."""
_COUNTERS = "PROMETHEUS_MULTIPROC_DIR"
"""Where `prometheus_client` looks for the files that processes share."""
_LOCAL = ("localhost", "127.0.0.1", "[::1]")


def check_requirements() -> None:
    """Say at once what is missing."""
    for package in ("django", "gunicorn", "whitenoise"):
        if find_spec(package) is None:
            raise MissingExtraError(package, extra="web")
    if os.name == "nt":
        raise GistmarkError(
            "gunicorn, the web server of the platform, does not run on Windows itself; "
            "start `gistmark serve` in WSL or in a container."
        )


def allow_host(host: str) -> None:
    """Answer to the host that is listened on, if nobody said which names to answer to."""
    if not os.environ.get("GISTMARK_HOSTS") and not _is_wildcard(host):
        os.environ["GISTMARK_HOSTS"] = ",".join((_in_address(host), *_LOCAL))


def lacks_host_names(host: str) -> bool:
    """Whether others can reach the server, but nobody said under which name."""
    return _is_wildcard(host) and not os.environ.get("GISTMARK_HOSTS")


def listen(host: str, port: int) -> socket.socket:
    """A socket on this address, so that a busy port is reported before anything starts."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        raise UsageError(
            f"Port {port} of {host} cannot be listened on: {error.strerror or error}; "
            "--host and --port choose others."
        ) from error
    return listener


def address_of(listener: socket.socket) -> str:
    """The address to type into a browser on this machine."""
    host, port = listener.getsockname()[:2]
    return f"http://{'127.0.0.1' if _is_wildcard(host) else _in_address(host)}:{port}"


def run(
    listener: socket.socket,
    *,
    workers: int,
    ready: Callable[[], None],
    regular: Sequence[tuple[int, Callable[[], object]]] = (),
) -> None:
    """Answer requests until the process is told to stop; `ready` is called before the first.

    Each worker does the `regular` work beside the requests, every so many seconds.

    The socket is gunicorn's from here on.
    """
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application
    from django.db import connections
    from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]

    class Server(BaseApplication):  # type: ignore[misc]
        """Tells gunicorn what to serve and how."""

        def load_config(self) -> None:
            for name, value in _options(listener, workers, ready, regular).items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            return with_deadlines(get_wsgi_application())

    _share_counters()
    call_command("clearsessions")
    # A connection to the database that several processes share would mix up their answers.
    connections.close_all()
    Server().run()


def _share_counters() -> None:
    """Give the counters of /metrics files that all processes of this server share."""
    from django.conf import settings

    if settings.METRICS_TOKEN and not os.environ.get(_COUNTERS):
        folder = tempfile.mkdtemp(prefix="gistmark-metrics-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ[_COUNTERS] = folder


def _options(
    listener: socket.socket,
    workers: int,
    ready: Callable[[], None],
    regular: Sequence[tuple[int, Callable[[], object]]],
) -> dict[str, object]:
    def begin(_: object) -> None:
        # Mails and webhooks that wait; their app stands above this one.
        import_module("gistmark.web.outbox.worker").start_worker()
        for pause, work in regular:
            Thread(target=_repeat, args=[work, pause], name="regular", daemon=True).start()

    def when_ready(_: object) -> None:
        from django.db import connections

        redact_servers_log()
        ready()
        connections.close_all()

    def child_exit(_: object, worker: Any) -> None:
        if os.environ.get(_COUNTERS):
            from prometheus_client.multiprocess import mark_process_dead

            mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]

    return {
        "bind": f"fd://{listener.detach()}",
        "workers": workers,
        "worker_class": patient_worker(),
        "threads": _THREADS,
        "loglevel": "warning",
        "control_socket_disable": True,
        "when_ready": when_ready,
        "post_worker_init": begin,
        "child_exit": child_exit,
        "proc_name": "gistmark",
    }


def _repeat(work: Callable[[], object], pause: int) -> None:
    """Do some work every so many seconds for as long as the process lives."""
    from django.db import connection

    while True:
        try:
            work()
        except Exception:
            _LOG.exception("The job that runs every %s seconds failed.", pause)
        finally:
            connection.close()
        time.sleep(pause)


def _is_wildcard(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return not host


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host

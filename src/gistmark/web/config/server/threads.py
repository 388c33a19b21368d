"""Work that is done beside the requests, in a thread of the process that was asked for it.

A thread ends with its process. So whoever waits for its result looks now and then whether anybody
is still at it (`shared_lock`), and begins it again if not.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock, Thread

from django.conf import settings
from django.db import connection

_LOG = logging.getLogger(__name__)
_running: dict[str, Thread] = {}
_guard = Lock()


def run_beside(name: str, work: Callable[[], object], *, wait: float) -> None:
    """Do some work in a thread, unless this process is at it; and wait so many seconds for it.

    Without threads (`JOBS_IN_THREADS`) it is done at once.
    """
    if not settings.JOBS_IN_THREADS:
        work()
        return
    with _guard:
        thread = _running.get(name)
        if thread is None or not thread.is_alive():
            thread = Thread(target=_run, args=[name, work], name=name, daemon=True)
            _running[name] = thread
            thread.start()
    thread.join(wait)


def wait_for(name: str) -> None:
    """Wait until the thread of this name, if there is one, has ended."""
    with _guard:
        thread = _running.get(name)
    if thread is not None:
        thread.join()


def _run(name: str, work: Callable[[], object]) -> None:
    try:
        work()
    except Exception:
        _LOG.exception("The job %s failed.", name)
    finally:
        connection.close()
        with _guard:
            _running.pop(name, None)

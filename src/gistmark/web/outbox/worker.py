"""The thread of each server process that sends what is due; one of them does so at a time.

`OUTBOX_SOURCES` in the settings names functions that are called before, to put in what has come up
since, such as webhooks about work that arrived.
"""

from __future__ import annotations

import logging
from threading import Lock, Thread

from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from gistmark.web.outbox.queue import Delivered, deliver_due, forget_old, woken

PERIOD = 20.0
_LOG = logging.getLogger(__name__)
_guard = Lock()
_thread: Thread | None = None


def start_worker() -> None:
    """Begin to deliver beside the requests of this process."""
    global _thread
    with _guard:
        if _thread is None or not _thread.is_alive():
            _thread = Thread(target=_run, name="outbox", daemon=True)
            _thread.start()


def deliver_all(*, wait: bool = True) -> Delivered:
    """Put in what has come up, and send what is due."""
    for source in settings.OUTBOX_SOURCES:
        import_string(source)()
    forget_old()
    return deliver_due(wait=wait)


def _run() -> None:
    while True:
        woken.wait(PERIOD)
        woken.clear()
        try:
            deliver_all(wait=False)
        except Exception:
            _LOG.exception("The outbox could not be worked through.")
        finally:
            connection.close()

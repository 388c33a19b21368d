"""gunicorn's worker with threads, which waits for the head of a request only so long."""

from __future__ import annotations

import time
from typing import Any

from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from gistmark.web.config.server.deadlines import GRACE, WATCH


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """Hangs up on whoever does not finish the head of a request in time."""

    def handle(self, conn: Any) -> Any:
        client = conn.sock
        WATCH.set(client, time.monotonic() + GRACE)
        try:
            return super().handle(conn)
        finally:
            WATCH.clear(client)

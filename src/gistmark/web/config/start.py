"""Starting Django outside a web server: what every command of the platform does first.

No request tells a command the host, so whole addresses are put together here as well.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from gistmark.errors import GistmarkError, MissingExtraError, UsageError
from gistmark.web.config.storage.folder import DEFAULT, VARIABLE


def prepare(data: Path | None = None) -> None:
    """Say which settings and which data folder count; nothing is loaded yet."""
    if find_spec("django") is None:
        raise MissingExtraError("django", extra="web")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gistmark.web.config.settings")
    if data is not None:
        os.environ[VARIABLE] = str(data)
    elif not os.environ.get(VARIABLE):
        os.environ[VARIABLE] = DEFAULT


def start(data: Path | None = None, *, migrated: bool = True) -> None:
    """Load Django; then see that the database answers and, if `migrated`, has its tables.

    A process has one data folder: once Django runs, `data` changes nothing.
    """
    if find_spec("django") is None:
        raise MissingExtraError("django", extra="web")
    from django.apps import apps

    if not apps.ready:
        prepare(data)
        import django

        django.setup()
    if migrated:
        apply_migrations()


def apply_migrations() -> None:
    """Bring the database's tables up to date; a second call finds nothing to do.

    Of several processes that start at the same moment one does it, and the others wait.
    """
    from django.core.management import call_command
    from django.db import DatabaseError

    from gistmark.web.config.storage.transactions import shared_lock

    try:
        with shared_lock("migrate"):
            if pending_migrations():
                call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        raise GistmarkError(f"The database cannot be used: {str(error).strip()}") from error


def pending_migrations() -> int:
    """How many changes of the tables have not been made yet."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def whole_address(page: str, *args: object, base: str | None = None) -> str:
    """The address of a page, on the platform at `base`."""
    from django.urls import reverse

    return _checked(base or _usual_base()).rstrip("/") + reverse(page, args=args)


def _usual_base() -> str:
    from django.conf import settings

    if settings.ADDRESS:
        return str(settings.ADDRESS)
    host = settings.ALLOWED_HOSTS[0].lstrip("*.") or "localhost"
    return f"https://{host}" if settings.BEHIND_PROXY else f"http://{host}:8000"


def _checked(base: str) -> str:
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(f"{base!r} is not an address; write it as https://rate.example.org.")
    return base

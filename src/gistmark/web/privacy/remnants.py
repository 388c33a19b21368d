"""What deleted rows leave in the database's file: SQLite keeps their bytes until they are used.

PostgreSQL leaves them to its own vacuum; a backup of it has rows only.
"""

from __future__ import annotations

from django.db import OperationalError, connection


def overwrite_remnants() -> bool:
    """Write SQLite's file anew, without what was deleted; tells whether that was possible.

    It is not inside a transaction, or while somebody else writes for long.
    """
    if connection.vendor != "sqlite":
        return True
    if connection.in_atomic_block:
        return False
    try:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy = cursor.fetchone()[0]
    except OperationalError:
        return False
    return not busy

"""Backups of the database: a file that is whole or not there, and back again.

Each database writes its own format, which keeps everything exactly; after a restore the tables
are brought up to date, so a backup of an earlier version can be restored into a later one.
"""

from gistmark.web.config.storage.backups.backup import make_backup, restore_backup
from gistmark.web.config.storage.backups.rotation import last_backup, make_dated_backup, note_backup

__all__ = ["last_backup", "make_backup", "make_dated_backup", "note_backup", "restore_backup"]

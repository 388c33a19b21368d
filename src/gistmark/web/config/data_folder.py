"""The data folder: where the platform keeps its database and its secret key.

GISTMARK_DATA names it. The commands and the WSGI entry point fill in `gistmark-data` in the
current folder where nobody named one; importing the settings alone touches no disk.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from gistmark.errors import GistmarkError

VARIABLE = "GISTMARK_DATA"
DEFAULT = "gistmark-data"
SECRET_FILE = "secret-key"  # noqa: S105
DATABASE_FILE = "gistmark.sqlite3"


def data_folder(name: str) -> Path:
    """The data folder, made if it is not there; only its owner may look inside."""
    folder = Path(name).expanduser().absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise GistmarkError(
            f"The data folder {folder} cannot be made: {error.strerror}; {VARIABLE} chooses "
            "another one."
        ) from error
    return folder


def database_file(folder: Path) -> str:
    """The SQLite database of a data folder, which only its owner may read."""
    file = folder / DATABASE_FILE
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise GistmarkError(f"The database {file} cannot be opened: {error.strerror}.") from error
    return str(file)


def secret_key(folder: Path) -> str:
    """The key that signs sessions: drawn at random on first start, readable for its owner only.

    It is written beside its place and then linked there, so that a second process that starts at
    the same moment finds the whole key or none.
    """
    file = folder / SECRET_FILE
    if file.exists():
        return _read(file)
    draft = folder / f"{SECRET_FILE}.{secrets.token_hex(8)}"
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(passing_key())
        try:
            os.link(draft, file)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    except OSError as error:
        raise GistmarkError(
            f"The secret key cannot be written to {file}: {error.strerror}."
        ) from error
    return _read(file)


def passing_key() -> str:
    """A key for this process alone."""
    return secrets.token_urlsafe(64)


def _read(file: Path) -> str:
    try:
        key = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise GistmarkError(f"The secret key cannot be read from {file}: {error}.") from error
    if len(key) < 32:
        raise GistmarkError(f"{file} holds no key; delete it, and a new one is made.")
    return key

"""Where the platform keeps things: the data folder with its keys, and the database.

GISTMARK_DATA names the folder. The commands and the WSGI entry point fill in `gistmark-data` in the
current folder where nobody named one; importing the settings alone touches no disk. The database is
SQLite in that folder, or what DATABASE_URL says.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from gistmark.errors import GistmarkError, UsageError
from gistmark.runtime.files import user_path

VARIABLE = "GISTMARK_DATA"
DEFAULT = "gistmark-data"
SECRET_FILE = "secret-key"  # noqa: S105
ENCRYPTION_FILE = "encryption-key"
DATABASE_FILE = "gistmark.sqlite3"
_POSTGRES = ("postgres", "postgresql")
_ENCRYPTION_BYTES = 32
_LEAST_FREE = 16 * 1024**2
_WAIT = 20
"""How many seconds a writer waits for another one, with SQLite."""


def data_folder(name: str) -> Path:
    """The data folder, made if it is not there; only its owner may look inside."""
    folder = user_path(name).absolute()
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


def exports_folder(folder: Path | None) -> Path:
    """Where exports wait to be fetched: in the data folder, or in one of this process alone.

    It is made by whoever writes into it.
    """
    return (folder or Path(tempfile.gettempdir()) / f"gistmark-{os.getpid()}") / "exports"


def secret_key(folder: Path) -> str:
    """The key that signs sessions: drawn at random on first start, for its owner to read."""
    file = folder / SECRET_FILE
    key = _kept(file, passing_key)
    if len(key) < 32:
        raise GistmarkError(f"{file} does not hold a key; delete it, and a new one is created.")
    return key


def encryption_keys(text: str | None, folder: Path | None) -> list[str]:
    """The keys that secrets in the database are encrypted with; the first one encrypts.

    They are what GISTMARK_ENCRYPTION_KEY says or what the file of the data folder holds, where one
    is generated on first start; without either they live and die with the process.
    """
    if text:
        return _checked_keys(text, "GISTMARK_ENCRYPTION_KEY")
    if folder is None:
        return [new_encryption_key()]
    file = folder / ENCRYPTION_FILE
    return _checked_keys(_kept(file, new_encryption_key), str(file))


def new_encryption_key() -> str:
    """A random key, in the form that Fernet reads."""
    return urlsafe_b64encode(secrets.token_bytes(_ENCRYPTION_BYTES)).decode("ascii")


def is_full() -> bool:
    """Whether the disk with the data folder has no space left to speak of."""
    named = os.environ.get(VARIABLE)
    try:
        return named is not None and shutil.disk_usage(user_path(named)).free < _LEAST_FREE
    except OSError:
        return True


def fingerprint(folder: Path) -> str:
    """Ten letters for the addresses of static files, so that browsers may keep them for ever.

    They change with the name or the content of any file below the folder.
    """
    digest = sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        digest.update(sha256(file.relative_to(folder).as_posix().encode()).digest())
        digest.update(sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:10]


def passing_key() -> str:
    """A key for this process alone."""
    return secrets.token_urlsafe(64)


def _kept(file: Path, draw: Callable[[], str]) -> str:
    """What a file of the data folder holds; if it is not there, it is made, for its owner alone.

    It is written to another file and then linked to its name, so that a second process that
    starts at the same moment finds the whole key or none.
    """
    if file.exists():
        return _read(file)
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(draw())
        try:
            os.link(draft, file)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    except OSError as error:
        raise GistmarkError(f"The key cannot be written to {file}: {error.strerror}.") from error
    return _read(file)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise GistmarkError(f"The key cannot be read from {file}: {error}.") from error


def _checked_keys(text: str, origin: str) -> list[str]:
    keys = text.replace(",", " ").split()
    if not keys or not all(map(_is_encryption_key, keys)):
        raise GistmarkError(
            f"{origin} does not hold an encryption key, which is 32 random bytes in base64 "
            "(`gistmark encryption new-key` prints one)."
        )
    return keys


def _is_encryption_key(key: str) -> bool:
    try:
        return len(urlsafe_b64decode(key)) == _ENCRYPTION_BYTES
    except ValueError:
        return False


def database(url: str | None, folder: Path | None) -> dict[str, Any]:
    """Django's settings for the database; without an address or a folder it is in memory."""
    if not url:
        return _sqlite(":memory:" if folder is None else database_file(folder))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"DATABASE_URL cannot be read: {error}.") from None
    if parts.scheme == "sqlite":
        return _sqlite("/" + unquote(parts.path).lstrip("/"))
    if parts.scheme not in _POSTGRES or not parts.path.strip("/"):
        raise UsageError(
            "DATABASE_URL must be postgres://user:password@host:port/name or sqlite:///path."
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": dict(parse_qsl(parts.query)),
    }


def _sqlite(name: str) -> dict[str, Any]:
    """Writers take their lock at the start of a transaction, so none is refused half-way."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "OPTIONS": {
            "timeout": _WAIT,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }

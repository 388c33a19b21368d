"""Reading environment variables: choices, numbers, and secrets that may stand in a file."""

from __future__ import annotations

import os

from gistmark.errors import UsageError
from gistmark.runtime.files import user_path

LEAST_TOKEN = 24


def choice(name: str, *known: str) -> str:
    """One of a few words; the first is what counts where the variable is not set."""
    value = os.environ.get(name, "").strip().lower() or known[0]
    if value not in known:
        raise UsageError(f"{name} is {value!r}; it can be {', '.join(known)}.")
    return value


def number(name: str, usual: int, *, least: int, most: int) -> int:
    """A whole number between two bounds."""
    text = os.environ.get(name, "").strip()
    if not text:
        return usual
    if not text.isdecimal() or not least <= int(text) <= most:
        raise UsageError(f"{name} is {text!r}; it is a whole number from {least} to {most}.")
    return int(text)


def secret(name: str) -> str:
    """A secret from the variable, or from the file that NAME_FILE names; empty without either."""
    file = os.environ.get(f"{name}_FILE", "").strip()
    if not file:
        return os.environ.get(name, "")
    try:
        return user_path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name}_FILE names {file}, which cannot be read: {error}.") from None


def token(name: str) -> str:
    """A secret that is long enough not to be guessed, or nothing."""
    value = secret(name).strip()
    if value and len(value) < LEAST_TOKEN:
        raise UsageError(f"{name} is too short; it needs {LEAST_TOKEN} characters or more.")
    return value

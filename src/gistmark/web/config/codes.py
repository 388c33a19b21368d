"""Codes that people read and type: letters in groups of four, derived from a key."""

from __future__ import annotations

from base64 import b32encode

from django.utils.crypto import salted_hmac

_GROUP = 4


def derived_code(purpose: str, value: str, *, letters: int, key: str | None = None) -> str:
    """A code such as `K7QF-2MZD-XW4A`: the same each time, and not to be guessed.

    Five bits are in each letter. The key is the platform's own unless another is given.
    """
    mac = salted_hmac(purpose, value, key, algorithm="sha256").digest()
    return grouped(b32encode(mac).decode()[:letters])


def grouped(letters: str) -> str:
    """Letters in groups of four, with hyphens between them."""
    return "-".join(letters[start : start + _GROUP] for start in range(0, len(letters), _GROUP))


def plain(code: str) -> str:
    """A code however it was typed: letters and digits alone, and all of them large."""
    return "".join(letter for letter in code.upper() if letter.isascii() and letter.isalnum())

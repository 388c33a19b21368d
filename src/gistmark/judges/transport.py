"""What requests of judges share: secrets that travel encrypted, and what may be sent again."""

from __future__ import annotations

from urllib.parse import urlsplit

from gistmark.errors import UsageError
from gistmark.runtime.http import is_local

LONGEST_WAIT = 120.0
"""A server that asks for a longer pause is not waited for."""
LATER = frozenset({408, 425, 429})


def demand_plain(name: str, secret: str) -> None:
    """Refuse a secret of an environment variable that no header can hold."""
    if not secret.isascii() or not secret.isprintable():
        raise UsageError(f"{name} must consist of printable ASCII characters.")


def demand_encrypted(name: str, address: str, advice: str = "use https") -> None:
    """Refuse an address to which a secret would travel unencrypted."""
    parts = urlsplit(address)
    if parts.scheme == "http" and not is_local(parts.hostname):
        raise UsageError(f"{name} would travel to {parts.hostname} unencrypted; {advice}.")

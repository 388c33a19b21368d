"""Requests that the platform itself sends to other servers: to a provider, to webhooks.

A name is resolved once and the connection goes to that very address, so that nobody can check one
address and be sent to another. With `public_only`, addresses of this machine and of private
networks are refused, whatever name leads there. Redirects are not followed, answers are read up to
a bound, and the whole takes no longer than its time-out, however slowly the other side sends.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Event, Timer
from urllib.parse import SplitResult, urlsplit

from gistmark._version import __version__
from gistmark.errors import GistmarkError

TIMEOUT = 10.0
MOST_BYTES = 1024**2
_NAT64 = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))


class OutgoingError(GistmarkError):
    """The request could not be sent, or no whole answer came."""


class PrivateAddressError(OutgoingError):
    """The server is not on the public internet."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the other server answered; `body` ends where the bound is."""

    status: int
    body: bytes
    kind: str


def send(
    method: str,
    url: str,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    public_only: bool = False,
    timeout: float = TIMEOUT,
) -> Answer:
    """Send a request and read the answer, or raise `OutgoingError`."""
    parts = _parts(url)
    address = _resolved(parts.hostname or "", _port(parts.scheme, parts.port), public_only)
    connection = _connection(parts.scheme, parts.hostname or "", parts.port, address, timeout)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    sent = {
        "User-Agent": f"gistmark/{__version__}",
        "Accept": "application/json",
        **(headers or {}),
    }
    late = Event()
    watch = Timer(timeout, _hang_up, [connection, late])
    watch.daemon = True
    watch.start()
    try:
        connection.request(method, target, body, sent)
        response = connection.getresponse()
        body = response.read(MOST_BYTES)
        if late.is_set():
            raise TimeoutError(f"it took longer than {timeout:g} seconds")
        return Answer(response.status, body, response.headers.get_content_type())
    except (OSError, HTTPException, ValueError) as error:
        raise OutgoingError(f"{parts.netloc} does not answer: {_reason(error)}.") from error
    finally:
        watch.cancel()
        connection.close()


def checked_url(url: str, *, public_only: bool) -> str:
    """The address, if requests can go there at all: http or https, and a host that is public."""
    parts = _parts(url)
    if parts.username or parts.password:
        raise OutgoingError("The address must not hold a user name or a password.")
    _resolved(parts.hostname or "", _port(parts.scheme, parts.port), public_only)
    return url


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the public internet, and not a way back into ours."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped
        if inner is not None:
            return is_public(inner)
        if address.sixtofour or address.teredo or any(address in each for each in _NAT64):
            return False
    return address.is_global and not address.is_multicast


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise OutgoingError(f"{url!r} is not an address.") from None
    printable = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0 or not printable:
        raise OutgoingError(f"{url!r} is not an address; write it as https://example.org/path.")
    return parts


def _port(scheme: str, port: int | None) -> int:
    return port or (443 if scheme == "https" else 80)


def _resolved(host: str, port: int, public_only: bool) -> str:
    """The address of a host; one that also has a private address is not trusted with any."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise OutgoingError(f"{host} cannot be found: {_reason(error)}.") from error
    addresses = [str(each[4][0]).partition("%")[0] for each in found]
    if public_only and not all(is_public(ip_address(each)) for each in addresses):
        raise PrivateAddressError(
            f"{host} is on this machine or in a private network, to which nothing is sent."
        )
    return addresses[0]


def _connection(
    scheme: str, host: str, port: int | None, address: str, timeout: float
) -> HTTPConnection:
    """A connection that goes to the address, whatever the name resolves to by now."""
    number = _port(scheme, port)

    class Plain(HTTPConnection):
        def connect(self) -> None:
            self.sock = socket.create_connection((address, number), timeout)

    class Secure(HTTPSConnection):
        def connect(self) -> None:
            raw = socket.create_connection((address, number), timeout)
            self.sock = ssl.create_default_context().wrap_socket(raw, server_hostname=host)

    return (Secure if scheme == "https" else Plain)(host, port, timeout=timeout)


def _hang_up(connection: HTTPConnection, late: Event) -> None:
    late.set()
    opened = connection.sock
    if opened is not None:
        with suppress(OSError):
            opened.shutdown(socket.SHUT_RDWR)


def _reason(error: Exception) -> str:
    return (str(getattr(error, "strerror", None) or error) or type(error).__name__).rstrip(".")

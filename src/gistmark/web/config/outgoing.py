"""Requests that the platform itself sends to other servers: to a provider, to webhooks.

A name is resolved once and the connection goes to that very address, so that nobody can check one
address and be sent to another. With `public_only`, addresses of this machine and of private
networks are refused, whatever name leads there. Redirects are not followed, answers are read up to
a bound, and the whole takes no longer than its time-out, however slowly the other side sends.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from gistmark.errors import GistmarkError
from gistmark.runtime.http import HttpClient, HttpReply, NoReplyError

TIMEOUT = 10.0
MOST_BYTES = 1024**2
_NAT64 = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))


class OutgoingError(GistmarkError):
    """The request could not be sent, or no whole answer came."""


class PrivateAddressError(OutgoingError):
    """The server is not on the public internet."""


def send(
    method: str,
    url: str,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    public_only: bool = False,
    timeout: float = TIMEOUT,
) -> HttpReply:
    """Send a request and read the reply up to the bound, or raise `OutgoingError`."""
    parts = _parts(url)
    host, port = parts.hostname or "", _port(parts.scheme, parts.port)
    address = _resolved(host, port, public_only)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        with HttpClient(
            f"{parts.scheme}://{_bracketed(address)}:{port}", timeout=timeout, use_proxy=False
        ) as client:
            return client.send(
                method,
                target,
                headers={"Host": _host_header(parts), **(headers or {})},
                body=body,
                most_bytes=MOST_BYTES,
                within=timeout,
                tls_name=host,
            )
    except NoReplyError as error:
        raise OutgoingError(f"{parts.netloc} does not answer: {error.detail}.") from error


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


def _host_header(parts: SplitResult) -> str:
    """The host of an address, and its port unless that is the usual one."""
    host = _bracketed(parts.hostname or "")
    return host if parts.port in (None, _port(parts.scheme, None)) else f"{host}:{parts.port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _reason(error: Exception) -> str:
    return (str(getattr(error, "strerror", None) or error) or type(error).__name__).rstrip(".")

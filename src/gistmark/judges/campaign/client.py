"""The platform's API over HTTP, for programs that work as annotators do.

A request that failed temporarily is sent again, at once and then after pauses that double, for
about a minute; every request that programs send may safely arrive twice. Until the platform has
answered for the first time, requests are sent only once, so that a wrong address is an error at
once. A refusal of the platform is an error with the platform's own sentence. A token travels
encrypted, or to this machine only, and never follows a redirect.
"""

from __future__ import annotations

import json
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ssl import SSLCertVerificationError, SSLError
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from gistmark._version import __version__
from gistmark.errors import GistmarkError, UsageError
from gistmark.judges.transport import LATER, LONGEST_WAIT, AgainError, demand_encrypted
from gistmark.runtime.requests import (
    is_local,
    pause_before,
    retry_after,
    shortened,
    why_unanswered,
)

TRIES = 8
PATIENCE = 60
"""So many seconds a request may take."""
_GATEWAY = frozenset({502, 503, 504})
_LONGEST_SENTENCE = 500


class PlatformError(GistmarkError):
    """The platform refused a request with this `status`; None if there was no answer."""

    def __init__(self, sentence: str, status: int | None = None) -> None:
        self.status = status
        super().__init__(sentence)


class Api:
    """The API of a platform, over one connection that is opened again when it was closed."""

    def __init__(
        self,
        connection: HTTPConnection,
        address: str,
        headers: Mapping[str, str] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.address = address
        self._connection, self._sleep = connection, sleep
        common = {"Content-Type": "application/json", "User-Agent": f"gistmark/{__version__}"}
        self._headers = {**common, **(headers or {})}
        self._has_answered = False

    def request(self, method: str, path: str, token: str, body: object = None) -> Any:
        """The reply; anything but a success is a `PlatformError`."""
        headers = {**self._headers, "Authorization": f"Bearer {token}"}
        content = None if body is None else json.dumps(body)
        for retry in range(TRIES):
            try:
                reply = self._exchange(method, f"/api/{path}", content, headers)
            except AgainError as again:
                is_first = retry == 0 and again.after is None
                pause = 0.0 if is_first else pause_before(retry - 1, again.after)
                if retry == TRIES - 1 or not self._has_answered or pause > LONGEST_WAIT:
                    raise PlatformError(f"{self._named} {again}.") from None
                self._sleep(pause)
            except PlatformError as error:
                raise PlatformError(str(error).replace(token, "…"), error.status) from None
            else:
                return reply
        raise AssertionError("the last try returns or raises")

    @property
    def _named(self) -> str:
        return f"The platform at {self.address}"

    def _exchange(self, method: str, path: str, content: str | None, headers: Any) -> Any:
        """One request and its reply."""
        try:
            self._connection.request(method, path, content, headers)
            response = self._connection.getresponse()
            text = response.read()
        except (OSError, HTTPException) as error:
            self._connection.close()
            raise self._unanswered(error) from None
        if response.status in LATER | _GATEWAY:
            after = retry_after(response.headers.get("Retry-After"))
            raise AgainError(f"cannot answer now (status {response.status})", after)
        reply = self._read(response, text)
        self._has_answered = True
        if not 200 <= response.status < 300:
            raise self._refusal(response.status, reply)
        return reply

    def _read(self, response: HTTPResponse, text: bytes) -> Any:
        """The JSON of a reply; every reply of a platform has some unless it is empty."""
        if 300 <= response.status < 400:
            raise PlatformError(
                f"{self._named} redirects requests; give its final address.",
                response.status,
            )
        if response.status == 204:
            return None
        try:
            return json.loads(text)
        except ValueError:
            raise PlatformError(
                f"The server at {self.address} is not a Gistmark platform (it answered with status "
                f"{response.status} and no JSON).",
                response.status,
            ) from None

    def _refusal(self, status: int, reply: object) -> PlatformError:
        detail = reply.get("detail") if isinstance(reply, dict) else None
        line = " ".join(detail.split()) if isinstance(detail, str) else ""
        reason = shortened(line, _LONGEST_SENTENCE) or "it gave no reason."
        return PlatformError(f"{self._named} refused the request ({status}): {reason}", status)

    def _unanswered(self, error: Exception) -> Exception:
        """The error of a failed connection; one with a bad certificate is not tried again."""
        host = urlsplit(self.address).hostname
        if isinstance(error, SSLCertVerificationError):
            why = error.verify_message.rstrip(".")
            return PlatformError(
                f"The certificate of {host} is not trusted ({why}); where your own authority "
                "signed it, SSL_CERT_FILE names the file with that authority's certificate."
            )
        if isinstance(error, SSLError) and not self._has_answered:
            why = (error.reason or "").replace("_", " ").lower() or "it broke off"
            return PlatformError(f"No TLS connection can be made to {self.address} ({why}).")
        return AgainError(why_unanswered(error))


@contextmanager
def platform_at(address: str) -> Iterator[Api]:
    """The platform at an address, to which tokens may travel."""
    parts = _checked(address)
    demand_encrypted("The token", address)
    connection = _connection(parts)
    try:
        yield Api(connection, f"{parts.scheme}://{parts.netloc}")
    finally:
        connection.close()


def _checked(address: str) -> SplitResult:
    try:
        parts = urlsplit(address.strip())
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise UsageError(
            "The address of a platform is a scheme and a host, such as https://rate.example.org or "
            "http://127.0.0.1:8000, and no path, user or password."
        )
    return parts


def _connection(parts: SplitResult) -> HTTPConnection:
    """A connection, for https through the proxy that the environment names, if any."""
    host = parts.hostname
    assert host is not None, "a checked address has a host"
    if parts.scheme == "http":
        return HTTPConnection(host, parts.port, timeout=PATIENCE)
    proxy = None if is_local(host) or proxy_bypass(host) else getproxies().get("https")
    if not proxy:
        return HTTPSConnection(host, parts.port, timeout=PATIENCE)
    through = urlsplit(proxy if "//" in proxy else f"//{proxy}")
    if not through.hostname:
        raise UsageError("The proxy that HTTPS_PROXY names has no host.")
    login = ":".join(unquote(each) for each in (through.username, through.password) if each)
    headers = {"Proxy-Authorization": f"Basic {b64encode(login.encode()).decode()}"}
    connection = HTTPSConnection(through.hostname, through.port or 80, timeout=PATIENCE)
    connection.set_tunnel(host, parts.port or 443, headers if login else {})
    return connection

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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from ssl import SSLCertVerificationError, SSLError
from typing import Any
from urllib.parse import SplitResult, urlsplit

from gistmark.errors import GistmarkError, UsageError
from gistmark.judges.transport import LATER, LONGEST_WAIT, demand_encrypted
from gistmark.runtime.http import (
    AgainError,
    HttpClient,
    HttpReply,
    NoReplyError,
    pause_before,
    send_until_answered,
    shortened,
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
        client: HttpClient,
        address: str,
        headers: Mapping[str, str] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.address = address
        self._client, self._sleep = client, sleep
        self._headers = {"Content-Type": "application/json", **(headers or {})}
        self._has_answered = False

    def request(self, method: str, path: str, token: str, body: object = None) -> Any:
        """The reply; anything but a success is a `PlatformError`."""
        headers = {**self._headers, "Authorization": f"Bearer {token}"}
        content = None if body is None else json.dumps(body).encode()
        try:
            return send_until_answered(
                lambda: self._exchange(method, f"/api/{path}", content, headers),
                tries=TRIES,
                pause=self._pause,
                sleep=self._sleep,
            )
        except AgainError as again:
            raise PlatformError(f"{self._named} {again}.") from None
        except PlatformError as error:
            raise PlatformError(str(error).replace(token, "…"), error.status) from None

    @property
    def _named(self) -> str:
        return f"The platform at {self.address}"

    def _pause(self, retry: int, again: AgainError) -> float | None:
        """How long to wait before a retry, the first of which is at once; None to give up."""
        is_first = retry == 0 and again.after is None
        pause = 0.0 if is_first else pause_before(retry - 1, again.after)
        return pause if self._has_answered and pause <= LONGEST_WAIT else None

    def _exchange(
        self, method: str, path: str, content: bytes | None, headers: Mapping[str, str]
    ) -> Any:
        """One request and its reply."""
        try:
            response = self._client.send(method, path, headers=headers, body=content)
        except NoReplyError as error:
            raise self._unanswered(error) from None
        if response.status in LATER | _GATEWAY:
            raise AgainError(f"cannot answer now (status {response.status})", response.retry_after)
        reply = self._read(response)
        self._has_answered = True
        if not 200 <= response.status < 300:
            raise self._refusal(response.status, reply)
        return reply

    def _read(self, response: HttpReply) -> Any:
        """The JSON of a reply; every reply of a platform has some unless it is empty."""
        if 300 <= response.status < 400:
            raise PlatformError(
                f"{self._named} redirects requests; give its final address.",
                response.status,
            )
        if response.status == 204:
            return None
        try:
            return json.loads(response.body)
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

    def _unanswered(self, error: NoReplyError) -> Exception:
        """The error of a failed connection; one with a bad certificate is not tried again."""
        host = urlsplit(self.address).hostname
        cause = error.cause
        if isinstance(cause, SSLCertVerificationError):
            why = cause.verify_message.rstrip(".")
            return PlatformError(
                f"The certificate of {host} is not trusted ({why}); where your own authority "
                "signed it, SSL_CERT_FILE names the file with that authority's certificate."
            )
        if isinstance(cause, SSLError) and not self._has_answered:
            why = (cause.reason or "").replace("_", " ").lower() or "it broke off"
            return PlatformError(f"No TLS connection can be made to {self.address} ({why}).")
        return AgainError(str(error))


@contextmanager
def platform_at(address: str) -> Iterator[Api]:
    """The platform at an address, to which tokens may travel."""
    parts = _checked(address)
    demand_encrypted("The token", address)
    base = f"{parts.scheme}://{parts.netloc}"
    with HttpClient(base, timeout=PATIENCE, keep_open=True) as client:
        yield Api(client, base)


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

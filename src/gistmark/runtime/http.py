"""The one client for requests to other servers, and when a request is sent again.

Redirects are not followed, so that a secret is never sent to the target of one. Replies are read
up to a bound, cookies are not kept, certificates are checked against the authorities that this
machine trusts, and requests go through the proxy that the environment names, except to this
machine.

A request that failed temporarily may be sent again, after as long as the server asks for, or else
after pauses that double.
"""

from __future__ import annotations

import random
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from threading import Event, Timer
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from gistmark._version import __version__
from gistmark.errors import GistmarkError, UsageError

if TYPE_CHECKING:
    import httpx

PAUSE = 1.0
"""How many seconds pass before the second try; twice as many before the third."""
MOST_BYTES = 32 * 1024**2
"""What a server sends beyond that is not read."""
_LOCAL = ("localhost", "127.0.0.1", "::1")
_LONGEST_DETAIL = 100
_Result = TypeVar("_Result")


class NoReplyError(GistmarkError):
    """A request that got no whole reply; the message is the rest of a sentence about the server.

    `cause` is the error of the system where there is one, else that of httpx. If the request
    `was_sent`, the server may have received it and acted on it.
    """

    def __init__(
        self, detail: str, cause: Exception, *, timed_out: bool = False, was_sent: bool = True
    ) -> None:
        self.detail, self.cause, self.timed_out = detail, cause, timed_out
        self.was_sent = was_sent
        super().__init__("did not answer in time" if timed_out else f"cannot be reached ({detail})")


class AgainError(GistmarkError):
    """A request that may succeed later; `after` is how many seconds the server asks to wait.

    If it `was_sent`, the server may have acted on it.
    """

    def __init__(self, reason: str, after: float | None = None, *, was_sent: bool = True) -> None:
        super().__init__(reason)
        self.after, self.was_sent = after, was_sent


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What a server replied, whatever the status; names of headers may be in either case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def content_type(self) -> str:
        """The type of the body in lower case, without parameters."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    @property
    def retry_after(self) -> float | None:
        """How many seconds the server asks to wait."""
        return retry_after(self.headers.get("Retry-After"))


class HttpClient:
    """Sends requests to the server at an address, which is a scheme, a host and maybe a path.

    `timeout` bounds in seconds how long the other side may stay silent. With `keep_open`, a
    connection serves several requests. Threads may share a client.
    """

    def __init__(
        self,
        address: str,
        *,
        timeout: float,
        keep_open: bool = False,
        use_proxy: bool = True,
    ) -> None:
        import httpx

        self._address, self._timeout = address, timeout
        self._client = httpx.Client(
            verify=_tls_context(address),
            proxy=_proxy_for(address) if use_proxy else None,
            trust_env=False,
            timeout=timeout,
            limits=httpx.Limits(max_keepalive_connections=None if keep_open else 0),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            headers={
                "User-Agent": f"gistmark/{__version__}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
            },
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def send(
        self,
        method: str,
        path: str = "",
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        most_bytes: int = MOST_BYTES,
        within: float | None = None,
        tls_name: str | None = None,
    ) -> HttpReply:
        """Send a request once and read the reply, or raise `NoReplyError`.

        The whole takes no longer than `within` seconds, however slowly the other side sends.
        `tls_name` is whom the certificate must be for, where that is not the host of the address.
        """
        import httpx

        name = {"sni_hostname": tls_name} if tls_name else {}
        try:
            with (
                _hung_up_after(within) as trace,
                self._client.stream(
                    method,
                    self._address + path,
                    headers={name: value.strip() for name, value in (headers or {}).items()},
                    content=body,
                    extensions={**name, **trace},
                ) as response,
            ):
                content = _read(response.iter_raw(), most_bytes)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise self._no_reply(error, within) from None
        return HttpReply(response.status_code, response.headers, content)

    def _no_reply(self, error: Exception, within: float | None) -> NoReplyError:
        import httpx

        cause = _system_error(error)
        if isinstance(error, (httpx.TimeoutException, TimeoutError)):
            longest = self._timeout if within is None else within
            return NoReplyError(f"it took longer than {longest:g} seconds", cause, timed_out=True)
        detail = getattr(cause, "strerror", None)
        if isinstance(error, (httpx.RemoteProtocolError, httpx.ProxyError)):
            detail = shortened(str(error).rstrip("."), _LONGEST_DETAIL)
        never_connected = isinstance(error, httpx.ConnectError) and isinstance(
            cause, (ConnectionRefusedError, socket.gaierror)
        )
        return NoReplyError(detail or type(cause).__name__, cause, was_sent=not never_connected)


def send_until_answered(
    send: Callable[[], _Result],
    *,
    tries: int,
    pause: Callable[[int, AgainError], float | None],
    sleep: Callable[[float], None] = time.sleep,
) -> _Result:
    """Call `send`, and again after an `AgainError`; the last one is raised.

    `pause` gets the number of the retry, the first being 0, and says how many seconds to wait
    before it, or None to give up.
    """
    for retry in range(tries - 1):
        try:
            return send()
        except AgainError as again:
            seconds = pause(retry, again)
            if seconds is None:
                raise
            sleep(seconds)
    return send()


def pause_before(retry: int, wanted: float | None = None, *, first: float | None = None) -> float:
    """How many seconds to wait before a retry, the first being 0; about `first` before that one."""
    if wanted is not None:
        return wanted
    doubled: float = (PAUSE if first is None else first) * 2**retry
    return doubled * random.uniform(0.5, 1)  # noqa: S311


def retry_after(header: str | None) -> float | None:
    """How long a server asks to wait, by its header Retry-After: in seconds, or until a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        wait = parsedate_to_datetime(header) - datetime.now(UTC)
    except (TypeError, ValueError):
        return None
    return max(0.0, wait.total_seconds())


def is_local(host: str | None) -> bool:
    """Whether a host is this machine, by its usual names."""
    return host in _LOCAL


def shortened(text: str, most: int) -> str:
    """The beginning of what somebody else said, so that a message stays readable."""
    return text if len(text) <= most else f"{text[:most]}…"


def _tls_context(address: str) -> ssl.SSLContext:
    """The settings of TLS; the machine's authorities take a moment to load, so only for https."""
    if urlsplit(address).scheme == "https":
        return ssl.create_default_context()
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _proxy_for(address: str) -> httpx.Proxy | None:
    """The proxy that the environment names for an address, if any."""
    import httpx

    parts = urlsplit(address)
    is_direct = is_local(parts.hostname) or proxy_bypass(parts.netloc.rpartition("@")[2])
    proxy = None if is_direct else getproxies().get(parts.scheme)
    if not proxy:
        return None
    try:
        url = httpx.URL(proxy if "//" in proxy else f"http://{proxy}")
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise UsageError(
            f"The proxy that {parts.scheme.upper()}_PROXY names is no address such as "
            "http://proxy.example.org:3128."
        )
    return httpx.Proxy(
        url, ssl_context=ssl.create_default_context() if url.scheme == "https" else None
    )


@contextmanager
def _hung_up_after(seconds: float | None) -> Iterator[dict[str, Any]]:
    """Shut down the connection of a request, which gets these extensions, if it takes too long."""
    if seconds is None:
        yield {}
        return
    late = Event()
    sockets: list[socket.socket] = []

    def hang_up() -> None:
        late.set()
        for opened in sockets:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)

    def watch(event: str, details: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            sockets.append(details["return_value"].get_extra_info("socket"))
            if late.is_set():
                hang_up()

    timer = Timer(seconds, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield {"trace": watch}
    except Exception as error:
        if late.is_set():
            raise TimeoutError from error
        raise
    finally:
        timer.cancel()
    if late.is_set():
        raise TimeoutError


def _read(chunks: Iterable[bytes], most: int) -> bytes:
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) >= most:
            break
    return bytes(content[:most])


def _system_error(error: Exception) -> Exception:
    """The error of the system behind one of httpx, which comes from one of httpcore; or itself."""
    system = error.__cause__ and error.__cause__.__context__
    return system if isinstance(system, OSError) else error

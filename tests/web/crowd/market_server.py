"""The market over HTTP; every request and every answer is held against Prolific's description.

The description is looked for in the file that GISTMARK_PROLIFIC_API names, or in
`../shared/prolific/openapi.yml`; tests that need it are skipped where there is none. In four
points it contradicts itself or the market, and the checks follow the market:

- Items of the list of filters are `oneOf` four schemas without required fields, and bounds of a
  range are `oneOf` integer and number: nothing can be valid for one of them alone. Any will do.
- Only the status 400 is described for errors; a wrong token gets 401, an unknown id 404, and too
  many requests 429. Their bodies are still checked.
- A new subscription is described as a list; the market's pages show a single one. The local
  market follows the description, and the client reads both.
- Events and their headers are not described at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from web.crowd.market import Market, RefusedError
from web.crowd.market_operations import OPERATIONS

_HOST = "https://api.prolific.com"
_AMBIGUOUS = (
    "FilterListResultsItems",
    "RangeFilterSelectedRangeLower",
    "RangeFilterSelectedRangeUpper",
)


def description() -> Path:
    """The market's own description of its API."""
    named = os.environ.get("GISTMARK_PROLIFIC_API")
    here = Path(__file__).resolve().parents[3]
    file = Path(named) if named else here.parent / "shared" / "prolific" / "openapi.yml"
    if not file.is_file():
        pytest.skip(f"there is no description of Prolific's API at {file} (GISTMARK_PROLIFIC_API)")
    return file


@cache
def specification() -> tuple[dict[str, Any], Any]:
    """The description, as it is and as openapi-core reads it."""
    import yaml
    from openapi_core import Config, OpenAPI

    loaded = yaml.load(description().read_bytes(), Loader=yaml.CSafeLoader)
    for name in _AMBIGUOUS:
        schema = loaded["components"]["schemas"][name]
        schema["anyOf"] = schema.pop("oneOf")
    return loaded, OpenAPI.from_dict(loaded, config=Config(spec_validator_cls=None))


@dataclass
class Served:
    """A market that listens; `faults` are what the next requests meet instead of an answer.

    A fault is a status with headers, or "lost": the request is done, and its answer never comes.
    """

    market: Market
    address: str
    requests: list[tuple[str, str]] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    faults: list[tuple[int, dict[str, str]] | str] = field(default_factory=list)


@contextmanager
def serving(market: Market | None = None) -> Iterator[Served]:
    """A market on this machine; at the end nothing may have broken its description."""
    specification()
    served = Served(market or Market(), "")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            try:
                _answer(served, self, self.rfile.read(length))
            except Exception as error:
                served.violations.append(f"{self.command} {self.path}: {error!r}")
                self.close_connection = True

        do_GET = do_POST = do_PATCH = do_DELETE = answer  # noqa: N815

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert served.violations == []


def _answer(served: Served, handler: BaseHTTPRequestHandler, body: bytes) -> None:
    method, parts = handler.command, urlsplit(handler.path)
    served.requests.append((method, parts.path))
    fault = served.faults.pop(0) if served.faults else None
    if isinstance(fault, tuple):
        _write(handler, fault[0], _error("Not now.", fault[0], wrapped=True), fault[1])
        return
    request = _mock(handler, parts, body)
    template = _check_request(served, request)
    extra: dict[str, str] = {}
    try:
        if handler.headers.get("Authorization") != f"Token {served.market.token}":
            raise RefusedError("Invalid token.", 401)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        status, reply = _dispatch(
            served.market, method, template, parts.path, json.loads(body or b"null"), query, extra
        )
    except RefusedError as refused:
        status = refused.status
        reply = _error(str(refused), status, wrapped=_wraps(template, method))
    if fault == "lost":
        handler.close_connection = True
        return
    content = b"" if status == 204 else json.dumps(reply).encode()
    _check_response(served, request, status, content)
    _write(handler, status, reply, extra, content)


def _dispatch(
    market: Market,
    method: str,
    template: str,
    path: str,
    body: Any,
    query: dict[str, str],
    extra: dict[str, str],
) -> tuple[int, Any]:
    """What the market answers at one of its addresses."""
    places = zip(template.split("/"), path.split("/"), strict=True)
    ids = [given for wanted, given in places if wanted.startswith("{")]
    operation = OPERATIONS.get((method, template.removeprefix("/api/v1")))
    if operation is None:
        raise AssertionError(f"the local market does not know {method} {template}")
    with market.lock:
        return operation(market, *ids, body=body, query=query, extra=extra)


def _error(detail: str, status: int, *, wrapped: bool) -> dict[str, Any]:
    error = {"status": status, "error_code": 1, "title": "Error", "detail": detail}
    return {"error": error} if wrapped else error


def _wraps(template: str, method: str) -> bool:
    """Whether the errors of an operation come inside `error`; the description has both kinds."""
    responses = specification()[0]["paths"][template][method.lower()]["responses"]
    reference: str = responses["400"]["content"]["application/json"]["schema"]["$ref"]
    return reference.endswith("/Error")


def _mock(handler: BaseHTTPRequestHandler, parts: Any, body: bytes) -> Any:
    from openapi_core.testing import MockRequest

    return MockRequest(
        _HOST,
        handler.command.lower(),
        parts.path,
        args={name: values[0] for name, values in parse_qs(parts.query).items()},
        headers=dict(handler.headers),
        data=body or None,
        content_type=handler.headers.get("Content-Type", "application/json"),
    )


def _check_request(served: Served, request: Any) -> str:
    """The template of the request's address; what breaks the description is noted."""
    from openapi_core.exceptions import OpenAPIError

    loaded, reader = specification()
    try:
        reader.validate_request(request)
    except OpenAPIError as error:
        served.violations.append(f"{request.method} {request.path}: {error} {error.__cause__}")
    return _template(loaded["paths"], request.path, request.method)


def _check_response(served: Served, request: Any, status: int, content: bytes) -> None:
    from openapi_core.exceptions import OpenAPIError
    from openapi_core.testing import MockResponse

    described = 400 if status in (401, 404) else status
    response = MockResponse(
        content or b"{}", status_code=described, content_type="application/json"
    )
    try:
        specification()[1].validate_response(request, response)
    except OpenAPIError as error:
        told = f"{request.method} {request.path}: answer {status}: {error} {error.__cause__}"
        served.violations.append(told)


def _template(paths: dict[str, Any], path: str, method: str) -> str:
    """The described address that fits best: one without variables before one with."""
    given = path.split("/")

    def fits(template: str) -> bool:
        wanted = template.split("/")
        return len(wanted) == len(given) and all(
            w == g or (w.startswith("{") and g) for w, g in zip(wanted, given, strict=True)
        )

    found = [each for each in paths if method in paths[each] and fits(each)]
    if not found:
        raise AssertionError(f"Prolific describes no {method} {path}")
    return min(found, key=lambda each: each.count("{"))


def _write(
    handler: BaseHTTPRequestHandler,
    status: int,
    reply: Any,
    headers: dict[str, str],
    content: bytes | None = None,
) -> None:
    content = json.dumps(reply).encode() if content is None else content
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)

"""The page that describes the API, made on the server from its OpenAPI description."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from gistmark.web.api.service import api

_NOTHING: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Value:
    """A parameter or a field of a body: its name, its kind, and whether it must be there."""

    name: str
    kind: str
    required: bool


@dataclass(frozen=True, slots=True)
class Described:
    """One operation."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    parameters: tuple[Value, ...]
    body: tuple[Value, ...]
    body_kind: str
    answer: str


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """All operations, grouped as the description groups them."""
    return render(request, "api/docs.html", _content())


@cache
def _content() -> dict[str, Any]:
    """What the page shows; it takes a while to put together and never changes."""
    schema = api.get_openapi_schema(path_prefix="/api/")
    groups: dict[str, list[Described]] = {}
    for tag, operation in _operations(schema):
        groups.setdefault(tag, []).append(operation)
    return {"groups": list(groups.items()), "info": schema["info"]}


def _operations(schema: dict[str, Any]) -> Iterator[tuple[str, Described]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield operation["tags"][0], _described(schema, path, method, operation)


def _described(
    schema: dict[str, Any], path: str, method: str, operation: dict[str, Any]
) -> Described:
    contents = operation.get("requestBody", {}).get("content", {})
    body_kind, body = next(iter(contents.items()), ("", _NOTHING))
    good = next(each for status, each in operation["responses"].items() if int(status) < 300)
    answer = next(iter(good.get("content", {}).values()), _NOTHING).get("schema", {})
    return Described(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation.get("description", ""),
        parameters=tuple(
            Value(each["name"], _kind(each["schema"], schema), each["required"])
            for each in operation.get("parameters", ())
        ),
        body=tuple(_fields(body.get("schema", {}), schema)),
        body_kind=body_kind,
        answer=_kind(answer, schema) if answer else "",
    )


def _fields(described: dict[str, Any], schema: dict[str, Any]) -> Iterator[Value]:
    target = _resolved(described, schema)
    required = target.get("required", ())
    for name, each in target.get("properties", {}).items():
        yield Value(name, _kind(each, schema), name in required)


def _kind(described: dict[str, Any], schema: dict[str, Any]) -> str:
    """What a value looks like, in a few words."""
    target = _resolved(described, schema)
    if "anyOf" in target:
        return " or ".join(_kind(each, schema) for each in target["anyOf"])
    if "enum" in target:
        return " | ".join(map(str, target["enum"]))
    if target.get("type") == "array":
        return f"list of {_kind(target['items'], schema)}"
    if "properties" in target and "$ref" in described:
        return "{" + ", ".join(target["properties"]) + "}"
    return str(target.get("const") or target.get("format") or target.get("type") or "anything")


def _resolved(described: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in described:
        return described
    target: dict[str, Any] = schema["components"]["schemas"][described["$ref"].rpartition("/")[2]]
    return target

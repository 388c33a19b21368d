"""JSON in and out, stricter than Python's own: no NaN, no Infinity, no key twice in an object."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from gistmark.corpus.fields import describe
from gistmark.corpus.files.text import read_text
from gistmark.errors import Diagnostics, Location


def parse_object(
    line: str, location: Location, diagnostics: Diagnostics
) -> dict[str, object] | None:
    """One JSON object; None after a problem."""
    value, good = parse_json(line, location, diagnostics)
    if not good:
        return None
    if not isinstance(value, dict):
        diagnostics.problem(f"The line must be a JSON object, but is {describe(value)}.", location)
        return None
    return value


def parse_json(text: str, location: Location, diagnostics: Diagnostics) -> tuple[Any, bool]:
    """A JSON value and whether it could be read; what is wrong with it becomes a problem.

    Stricter than Python's own reading: NaN, Infinity and a key that comes twice are refused.
    """
    try:
        return _DECODER.decode(text), True
    except json.JSONDecodeError as error:
        file, line = location
        error_location = (file, line if line is not None else error.lineno)
        diagnostics.problem(f"Broken JSON at column {error.colno}: {error.msg}.", error_location)
    except ValueError as error:
        diagnostics.problem(f"{error}.", location)
    except RecursionError:
        diagnostics.problem("The JSON is nested too deeply.", location)
    return None, False


def read_json(path: Path, diagnostics: Diagnostics) -> tuple[Any, bool]:
    """The one JSON value of a file and whether it could be read."""
    text = read_text(path, diagnostics)
    if text is None:
        return None, False
    return parse_json(text, (str(path), None), diagnostics)


def dump_lines(rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Objects as JSON lines, each with its line end."""
    for row in rows:
        yield dump(row) + "\n"


def dump(value: object) -> str:
    """A value as JSON on one line, with its characters as they are."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def plain(number: float) -> float | int:
    """A number as JSON should show it: 4.0 as 4, without losing a digit."""
    number = float(number)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that JSON allows")


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        repeated_key = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"The key {repeated_key!r} comes twice in one object")
    return result


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)

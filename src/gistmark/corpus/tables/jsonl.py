"""JSON lines in and out: one object per line, blank lines allowed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from gistmark.corpus.fields import found
from gistmark.corpus.files import read_text
from gistmark.corpus.findings import Findings, Place
from gistmark.corpus.tables import Table


def read_table(text: str, file: str, findings: Findings) -> Table:
    """The objects of a JSONL text; a line that is none becomes a problem."""
    rows: list[dict[str, object]] = []
    places: list[Place] = []
    partial = False
    for number, line in _lines(text):
        row = parse_object(line, (file, number), findings)
        if row is None:
            partial = True
            continue
        rows.append(row)
        places.append((file, number))
    if not rows and not partial:
        findings.problem("The file is empty.", (file, None))
    return Table.of_rows(rows, places, partial=partial)


def parse_object(line: str, place: Place, findings: Findings) -> dict[str, object] | None:
    """One JSON object; None after a problem."""
    value, good = parse_json(line, place, findings)
    if not good:
        return None
    if not isinstance(value, dict):
        findings.problem(f"The line must be a JSON object, but is {found(value)}.", place)
        return None
    return value


def parse_json(text: str, place: Place, findings: Findings) -> tuple[Any, bool]:
    """A JSON value and whether it could be read; what is wrong with it becomes a problem.

    Stricter than Python's own reading: NaN, Infinity and a key that comes twice are refused.
    """
    try:
        return _DECODER.decode(text), True
    except json.JSONDecodeError as error:
        file, line = place
        here = (file, line if line is not None else error.lineno)
        findings.problem(f"Broken JSON at column {error.colno}: {error.msg}.", here)
    except ValueError as error:
        findings.problem(f"{error}.", place)
    except RecursionError:
        findings.problem("The JSON is nested too deeply.", place)
    return None, False


def read_json(path: Path, findings: Findings) -> tuple[Any, bool]:
    """The one JSON value of a file and whether it could be read."""
    text = read_text(path, findings)
    if text is None:
        return None, False
    return parse_json(text, (str(path), None), findings)


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


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip(" \t\r"):
            yield number, line


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that JSON allows")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        again = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"The key {again!r} comes twice in one object")
    return result


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_object)

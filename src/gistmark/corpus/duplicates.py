"""What is there twice: a problem for every kind of record, or settled for ratings if asked.

An annotator rates a dimension of a summary once in a campaign. Released data break that rule now
and then (BLANC's aspects have 157 such ratings); `OnDuplicate` says what becomes of them:

- `refuse`: they are problems, like everything else that is there twice;
- `first`, `last`: that one counts, and the others are left out;
- `mean`: one rating stands for all of them. Its value is the mean; so are confidence and weight,
  over the ratings that have one; its seconds are the sum, for that is the time it took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import fsum
from operator import attrgetter
from statistics import fmean
from typing import Any, Literal, get_args

from gistmark.corpus.findings import NOWHERE, Findings, Place
from gistmark.corpus.parsing import Parsed
from gistmark.corpus.schemas import RATINGS, Schema
from gistmark.errors import UsageError
from gistmark.records import Rating

OnDuplicate = Literal["refuse", "first", "last", "mean"]
ON_DUPLICATE: tuple[OnDuplicate, ...] = get_args(OnDuplicate)

_WAY_OUT = (
    "To read such data, say what counts: on_duplicate= (on the command line --on-duplicate) "
    "first, last or mean."
)


def check_on_duplicate(given: str) -> None:
    """Raise a `UsageError` for a word that is not among the choices."""
    if given not in ON_DUPLICATE:
        choices = ", ".join(ON_DUPLICATE)
        raise UsageError(f"on_duplicate must be one of {choices}, not {given!r}.")


def check_duplicates(schema: Schema[Any], parsed: Parsed[Any], findings: Findings) -> None:
    """A problem for every record that is there already; the first of ratings tells the way out."""
    if not schema.key:
        return
    keys = _keys(schema, parsed)
    if len(set(keys)) == len(keys):
        return
    first: dict[object, int] = {}
    told = schema is not RATINGS
    for number, value in enumerate(keys):
        earlier = first.setdefault(value, number)
        if earlier != number:
            place = parsed.places[number]
            message = _duplicate(schema, parsed.records[number], parsed.places[earlier], place)
            if not told and place != NOWHERE:
                message, told = f"{message} {_WAY_OUT}", True
            findings.problem(message, place)


def settle_ratings(
    parsed: Parsed[Rating], how: Literal["first", "last", "mean"], findings: Findings
) -> Parsed[Rating]:
    """One rating of each cell, where its first one stands; a note counts what was settled."""
    groups: dict[object, list[int]] = {}
    for number, key in enumerate(_keys(RATINGS, parsed)):
        groups.setdefault(key, []).append(number)
    repeated = [numbers for numbers in groups.values() if len(numbers) > 1]
    if not repeated:
        return parsed
    settle = _SETTLE[how]
    records = [settle([parsed.records[n] for n in numbers]) for numbers in groups.values()]
    places = [parsed.places[numbers[0]] for numbers in groups.values()]
    given = [parsed.places[number] for numbers in repeated for number in numbers]
    findings.note(_settled(how, len(given), len(repeated)), _common_file(given))
    return Parsed(records, places, parsed.partial)


def _keys(schema: Schema[Any], parsed: Parsed[Any]) -> list[object]:
    key: Callable[[Any], object] = attrgetter(*schema.key)
    return list(map(key, parsed.records))


def _mean(ratings: Sequence[Rating]) -> Rating:
    if len(ratings) == 1:
        return ratings[0]
    return replace(
        ratings[0],
        value=fmean(rating.value for rating in ratings),
        confidence=_combined(fmean, (rating.confidence for rating in ratings)),
        weight=_combined(fmean, (rating.weight for rating in ratings)),
        seconds=_combined(fsum, (rating.seconds for rating in ratings)),
    )


def _combined(
    combine: Callable[[list[float]], float], values: Iterable[float | None]
) -> float | None:
    given = [value for value in values if value is not None]
    return combine(given) if given else None


_SETTLE: dict[str, Callable[[Sequence[Rating]], Rating]] = {
    "first": lambda ratings: ratings[0],
    "last": lambda ratings: ratings[-1],
    "mean": _mean,
}


def _settled(how: Literal["first", "last", "mean"], given: int, cells: int) -> str:
    """What was done with so many ratings of so many cells, in a sentence."""
    again = "an annotator had rated the same dimension of the same summary more than once"
    if how == "mean":
        means = "one mean" if cells == 1 else f"{cells:,} means"
        return f"{given:,} ratings became {means}, because {again}."
    extra = given - cells
    left = "1 rating was" if extra == 1 else f"{extra:,} ratings were"
    return f"{left} left out, because {again}; the {how} one counts."


def _duplicate(schema: Schema[Any], record: Any, earlier: Place, place: Place) -> str:
    values = ((name, getattr(record, name)) for name in schema.key)
    shown = ", ".join(f"{name} {value!r}" for name, value in values if value is not None)
    where = ""
    if earlier[1] is not None:
        file = f"{earlier[0]}:" if earlier[0] != place[0] else "line "
        where = f"; the first is on {file}{earlier[1]}"
    return f"There is already a {schema.noun} with {shown}{where}."


def _common_file(places: Sequence[Place]) -> Place:
    files = {file for file, _ in places}
    return (files.pop(), None) if len(files) == 1 else NOWHERE

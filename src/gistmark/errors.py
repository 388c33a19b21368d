"""The few kinds of error that Gistmark raises on purpose.

Every message is one clear sentence (or, for `CorpusError`, one per problem) that says what is
wrong, where, and what is allowed. The command line prints it without a traceback.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class GistmarkError(Exception):
    """The base of all errors whose cause is the data, the run or the caller."""


class UsageError(GistmarkError):
    """The request itself is wrong: an unknown metric, an option that does not exist."""


class MissingExtraError(GistmarkError):
    """An optional dependency is not installed; the message names the extra that brings it."""

    def __init__(self, package: str, *, extra: str | None = None) -> None:
        install = f"pip install 'gistmark[{extra}]'" if extra else f"pip install {package}"
        super().__init__(f"The package {package} is not installed; get it with: {install}")


class PluginError(GistmarkError):
    """An unexpected error inside a plugin; the message names the plugin and the error."""


Location = tuple[str | None, int | None]
"""The file and the line that a row comes from; `NOWHERE` for rows made in memory."""

NOWHERE: Location = (None, None)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with the data, and where."""

    message: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        if self.file is None:
            return self.message
        location = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{location}: {self.message}"


_NAME = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_NAMED = 3


def grouped(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems; those that differ only in the names that they quote are merged into one.

    Problems with a line stay as they are, because each must be corrected on its line.

    >>> from gistmark.errors import Problem, grouped
    >>> print(*grouped(Problem(f"Document {name!r} is empty.") for name in ("a", "b", "c")))
    Document 'a' is empty. The same goes for 2 more: 'b', 'c'.
    """
    groups: dict[object, list[Problem]] = {}
    for number, problem in enumerate(problems):
        key: object = _NAME.sub("", problem.message) if problem.file is None else number
        groups.setdefault(key, []).append(problem)
    return tuple(map(_together, groups.values()))


def _together(alike: Sequence[Problem]) -> Problem:
    first, *others = alike
    if not others:
        return first
    every = [name for each in others if (name := _NAME.search(each.message))]
    names = list(dict.fromkeys(name[0] for name in every))
    more = ", …" if len(names) > _NAMED else "."
    named = f": {', '.join(names[:_NAMED])}{more}" if names else "."
    return Problem(f"{first.message} The same goes for {len(others)} more{named}")


class CorpusError(GistmarkError):
    """The data cannot be used; `problems` lists everything that was found, not only the first."""

    SHOWN = 50

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(_describe(self.problems, self.SHOWN))


class Diagnostics:
    """The problems and notes of a reading, collected so that the user sees all of them at once.

    Problems make the reading fail at its end; notes are oddities that the user should know of.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.notes: list[Problem] = []

    def problem(self, message: str, location: Location = NOWHERE) -> None:
        self.problems.append(Problem(message, *location))

    def note(self, message: str, location: Location = NOWHERE) -> None:
        self.notes.append(Problem(message, *location))

    def stop_if_bad(self) -> None:
        """Raise a `CorpusError` with every problem so far, by file and line, if there is any."""
        if not self.problems:
            return
        files = dict.fromkeys(problem.file for problem in self.problems)
        rank = {file: number for number, file in enumerate(files)}
        raise CorpusError(sorted(self.problems, key=lambda p: (rank[p.file], p.line or 0)))


class ThresholdError(GistmarkError):
    """A mean is worse than the user asked for; the run itself went well."""


class InterruptedRunError(GistmarkError):
    """The user stopped a run; `scores` holds what a scoring run had done by then."""

    def __init__(self, message: str, scores: object = None) -> None:
        self.scores = scores
        super().__init__(message)


def unknown_name(noun: str, name: str, known: Sequence[str]) -> UsageError:
    """An error for a name that is not in a closed list, with the nearest guess first."""
    from difflib import get_close_matches

    guess = get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f" Did you mean {guess[0]!r}?" if guess else ""
    return UsageError(f"There is no {noun} {name!r}.{hint} Known: {', '.join(known)}.")


def _describe(problems: Sequence[Problem], shown: int) -> str:
    count = len(problems)
    lines = [f"{count} problem{'s' if count != 1 else ''} in the data:"]
    lines += [f"  {problem}" for problem in problems[:shown]]
    if count > shown:
        lines.append(f"  ... and {count - shown} more")
    return "\n".join(lines)

"""What a reader finds wrong or odd, collected so that the user sees all of it at once."""

from __future__ import annotations

from gistmark.errors import CorpusError, Problem

Place = tuple[str | None, int | None]
"""The file and the line that a row comes from; `NOWHERE` for what was made in memory."""

NOWHERE: Place = (None, None)


class Findings:
    """Problems, which stop the reading in the end, and notes, which the user should see."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.notes: list[Problem] = []

    def problem(self, message: str, place: Place = NOWHERE) -> None:
        self.problems.append(Problem(message, *place))

    def note(self, message: str, place: Place = NOWHERE) -> None:
        self.notes.append(Problem(message, *place))

    def stop_if_bad(self) -> None:
        """Raise a `CorpusError` with every problem so far, by file and line, if there is any."""
        if not self.problems:
            return
        files = dict.fromkeys(problem.file for problem in self.problems)
        rank = {file: number for number, file in enumerate(files)}
        raise CorpusError(sorted(self.problems, key=lambda p: (rank[p.file], p.line or 0)))

"""What the services refuse, in three kinds that a page or the API turns into a status."""

from __future__ import annotations

from collections.abc import Iterable

from gistmark.errors import GistmarkError, Problem


class NotFoundError(GistmarkError):
    """There is no such thing, or it is none of this person's business (404)."""


class NotAllowedError(GistmarkError):
    """The person knows of the thing, but may not do this with it (403)."""


class ConflictError(GistmarkError):
    """The thing is not in a state for this: paused, handed in, changed by somebody else (409)."""


class NotReadyError(ConflictError):
    """A campaign cannot start; `problems` lists everything that is in the way."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        lines = "\n".join(f"  {problem}" for problem in self.problems)
        super().__init__(f"The campaign cannot start yet:\n{lines}")

"""What a manager chooses for a recruitment: places, work, pay, whom, and how people come and go.

It is stored as JSON and read into one frozen dataclass, so that every rule about it stands here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from gistmark.errors import UsageError

Outcome = Literal["completed", "no_consent", "failed_comprehension", "screened_out", "too_late"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""How a visit can end; each has a completion code of its own."""

MOST_PLACES = 100_000
MOST_TASKS = 10_000
MOST_MINUTES = 60 * 24 * 90
MOST_REWARD = 100_000_000
_NAME = re.compile(r"[A-Za-z0-9._-]{1,50}")
_ADDRESS = re.compile(r"https://[^\s\0]{1,1992}")
_BOUNDS = {
    "places": (1, MOST_PLACES, "places"),
    "tasks_per_participant": (1, MOST_TASKS, "tasks for each participant"),
    "minutes": (1, MOST_MINUTES, "minutes"),
    "reward": (0, MOST_REWARD, "reward in the smallest unit of the currency"),
}
_LONGEST = {"title": 200, "description": 5000}


@dataclass(frozen=True, slots=True)
class RecruitmentSettings:
    """What a market is told about a study, and what the platform does with those who come.

    `reward` is in the smallest unit of the currency. `filters` are whom the market invites, in
    the words of the market's own class. `parameters` and `return_addresses` are for the generic
    market: what the address calls participant, study and session, and where each outcome leads.
    `title` and `description` are what participants read on the market; empty ones are written for
    the study.
    """

    places: int = 1
    tasks_per_participant: int = 1
    minutes: int = 10
    reward: int = 0
    currency: str = "GBP"
    filters: Mapping[str, Any] = field(default_factory=dict)
    exclude_earlier: bool = True
    require_token: bool = False
    approve_automatically: bool = False
    parameters: Mapping[str, str] = field(default_factory=dict)
    return_addresses: Mapping[Outcome, str] = field(default_factory=dict)
    title: str = ""
    description: str = ""

    def __post_init__(self) -> None:
        for name, (least, most, what) in _BOUNDS.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise UsageError(
                    f"The number of {what} must be {least:,} to {most:,}, not {value!r}."
                )
        for name, most in _LONGEST.items():
            if len(getattr(self, name)) > most:
                raise UsageError(f"The {name} of a study has at most {most:,} characters.")
        currency = self.currency
        if len(currency) != 3 or not (currency.isascii() and currency.isalpha()):
            raise UsageError(
                f"A currency is three letters such as GBP, USD or EUR, not {currency!r}."
            )
        self._check_ways()

    def _check_ways(self) -> None:
        """Check how people come and where they go."""
        names = [name for name in self.parameters.values() if name]
        if not all(map(_NAME.fullmatch, names)) or len(set(names)) < len(names):
            raise UsageError(
                "The names of parameters must differ, and have 1 to 50 letters, digits and . _ -."
            )
        for outcome, address in self.return_addresses.items():
            if address and not _ADDRESS.fullmatch(address):
                raise UsageError(
                    f"The return address for {in_words(outcome)} must begin with https:// "
                    "and have at most 2,000 characters and no blanks."
                )
        unknown = sorted(set(self.return_addresses) - set(OUTCOMES))
        if unknown:
            raise UsageError(
                f"There is no outcome {unknown[0]!r}; outcomes are {', '.join(OUTCOMES)}."
            )

    def to_mapping(self) -> dict[str, Any]:
        """The settings as they are stored."""
        return asdict(self)


def settings_from(stored: Mapping[str, Any]) -> RecruitmentSettings:
    """The settings of a stored mapping; what is missing has its default."""
    known = {each.name for each in fields(RecruitmentSettings)}
    unknown = sorted(stored.keys() - known)
    if unknown:
        raise UsageError(
            f"A recruitment has no setting {unknown[0]!r}; its settings are "
            f"{', '.join(sorted(known))}."
        )
    return RecruitmentSettings(**stored)


def in_words(outcome: str) -> str:
    """An outcome as managers read it, such as `no consent`."""
    return outcome.replace("_", " ")

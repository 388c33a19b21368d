"""What a study on Prolific offers, and to whom: pay with its fees, and who is invited.

Amounts are in the smallest unit of the currency. The least rates are those that Prolific enforces
for every study, 6 pounds or 8 dollars for an hour; with a token, the market is asked for them.

Managers name languages and countries as Prolific does; its ids of them are looked up each time,
since a list of our own would grow old unseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from difflib import get_close_matches
from math import ceil
from typing import Any

from gistmark.errors import UsageError
from gistmark.web.crowd.prolific.calls import Choice

LEAST_PER_HOUR = {"GBP": 600, "USD": 800}
FEE = Decimal("0.333")
"""The fee for academic researchers; others pay more."""
_SYMBOLS = {"GBP": "£", "USD": "$"}
LANGUAGES = "fluent-languages"
COUNTRIES = "current-country-of-residence"
APPROVAL_RATE = "approval_rate"
EARLIER_STUDIES = "previous_studies_blocklist"
EARLIER_PEOPLE = "custom_blocklist"
_MOST = 50
_LONGEST = 80
_SIMILAR = 3


@dataclass(frozen=True, slots=True)
class Offer:
    """What a participant gets, for how long, and how many of them there are.

    `least` is the least that the market allows for an hour.
    """

    reward: int
    minutes: int
    places: int
    currency: str
    least: int

    @property
    def per_hour(self) -> int:
        """The rate for an hour, rounded down: half a penny too little is too little."""
        return self.reward * 60 // self.minutes

    @property
    def least_reward(self) -> int:
        """The least reward for this time."""
        return ceil(self.least * self.minutes / 60)

    @property
    def rewards(self) -> int:
        """What all participants get together."""
        return self.reward * self.places

    def estimate(self) -> int:
        """The cost with the usual fee and without tax, where the market cannot be asked."""
        cost = self.rewards * (1 + FEE)
        return int(cost.quantize(Decimal(1), rounding=ROUND_HALF_UP))

    def demand_enough(self) -> None:
        """Refuse a reward that the market does not allow, with the rule."""
        if self.reward < self.least_reward:
            least, reward, per_hour, enough = (
                shown(amount, self.currency)
                for amount in (self.least, self.reward, self.per_hour, self.least_reward)
            )
            raise UsageError(
                f"Prolific requires at least {least} for an hour: {reward} for {self.minutes} "
                f"minutes is {per_hour}. Pay at least {enough}."
            )


def offer_of(*, reward: int, minutes: int, places: int, currency: str, least: int = 0) -> Offer:
    """An offer; `least` is the market's own rate, where it was asked for it."""
    if currency not in LEAST_PER_HOUR:
        known = " or ".join(LEAST_PER_HOUR)
        raise UsageError(f"Prolific pays in {known}, not in {currency!r}.")
    return Offer(reward, minutes, places, currency, least or LEAST_PER_HOUR[currency])


def shown(amount: int, currency: str) -> str:
    """An amount as people write it.

    >>> from gistmark.web.crowd.prolific.offers import shown
    >>> shown(150, "GBP"), shown(1234567, "USD"), shown(5, "EUR")
    ('£1.50', '$12,345.67', '0.05 EUR')
    """
    number = f"{Decimal(amount) / 100:,.2f}"
    symbol = _SYMBOLS.get(currency)
    return f"{symbol}{number}" if symbol else f"{number} {currency}"


def suggested_minutes(median_seconds: float | None, tasks: int) -> int | None:
    """How long a visit takes if each task takes the median time; None before anything is timed."""
    return None if median_seconds is None else max(1, ceil(median_seconds * tasks / 60))


@dataclass(frozen=True, slots=True)
class Filters:
    """Whom to invite: fluent in one of the languages, living in one of the countries.

    `approval_rate` is the least share of a participant's submissions that were approved, in
    percent. What is empty or 0 restricts nobody.
    """

    languages: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    approval_rate: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.approval_rate <= 100:
            raise UsageError(f"An approval rate is 0 to 100 percent, not {self.approval_rate}.")
        for what, names in (("languages", self.languages), ("countries", self.countries)):
            if len(names) > _MOST or any(len(name) > _LONGEST for name in names):
                raise UsageError(
                    f"Name at most {_MOST} {what}, each of at most {_LONGEST} characters."
                )

    def to_mapping(self) -> dict[str, Any]:
        """The filters as they are stored with the other settings."""
        return {
            "languages": list(self.languages),
            "countries": list(self.countries),
            "approval_rate": self.approval_rate,
        }

    def sentences(self) -> list[str]:
        """The filters in words, to set them by hand."""
        said = []
        if self.languages:
            said.append(f"Fluent languages: {', '.join(self.languages)}")
        if self.countries:
            said.append(f"Current country of residence: {', '.join(self.countries)}")
        if self.approval_rate:
            said.append(f"Approval rate: {self.approval_rate} to 100 percent")
        return said


def filters_from(stored: Mapping[str, Any]) -> Filters:
    """The filters of stored settings; what is missing restricts nobody."""
    unknown = sorted(stored.keys() - {"languages", "countries", "approval_rate"})
    if unknown:
        raise UsageError(
            f"A study has no filter {unknown[0]!r}; its filters are languages, countries and "
            "approval_rate."
        )
    rate = stored.get("approval_rate", 0)
    if isinstance(rate, bool) or not isinstance(rate, int):
        raise UsageError(f"An approval rate is 0 to 100 percent, not {rate!r}.")
    return Filters(
        _names(stored.get("languages", ()), "languages"),
        _names(stored.get("countries", ()), "countries"),
        rate,
    )


def market_filters(
    filters: Filters,
    known: Mapping[str, Choice],
    *,
    earlier_studies: Sequence[str] = (),
    earlier_people: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """The filters as the API takes them; `known` are those that the workspace offers."""
    wanted: list[dict[str, Any]] = []
    for name, titles in ((LANGUAGES, filters.languages), (COUNTRIES, filters.countries)):
        if titles:
            choices = _offered(known, name).choices
            values = [_choice(title, choices, name) for title in titles]
            wanted.append({"filter_id": name, "selected_values": values})
    if filters.approval_rate:
        _offered(known, APPROVAL_RATE)
        bounds = {"lower": filters.approval_rate, "upper": 100}
        wanted.append({"filter_id": APPROVAL_RATE, "selected_range": bounds})
    for name, ids in ((EARLIER_STUDIES, earlier_studies), (EARLIER_PEOPLE, earlier_people)):
        if ids:
            _offered(known, name)
            wanted.append({"filter_id": name, "selected_values": list(ids)})
    return wanted


def _offered(known: Mapping[str, Choice], name: str) -> Choice:
    if name not in known:
        raise UsageError(
            f"Prolific does not offer the filter {name!r} to this workspace; leave it out here, "
            "and set it on Prolific's own pages."
        )
    return known[name]


def _choice(title: str, choices: Mapping[str, str], name: str) -> str:
    """The market's id of a choice, whatever its case."""
    folded = {each.casefold(): id for each, id in choices.items()}
    if title.casefold() in folded:
        return folded[title.casefold()]
    similar = get_close_matches(title, choices, n=_SIMILAR, cutoff=0.4)
    hint = f"; similar are {', '.join(similar)}" if similar else ""
    raise UsageError(f"Prolific's filter {name!r} has no choice {title!r}{hint}.")


def _names(given: object, what: str) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UsageError(f"The filter {what!r} is a list of names.")
    names = [each.strip() for each in given if isinstance(each, str)]
    return tuple(dict.fromkeys(name for name in names if name))

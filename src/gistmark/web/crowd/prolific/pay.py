"""What a study pays and costs on Prolific: the rate for an hour, the least of it, and the fees.

Amounts are in the smallest unit of the currency. The least rates are those that Prolific enforces
for every study, 6 pounds or 8 dollars for an hour; with a token, the market is asked for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import ceil

from gistmark.errors import UsageError

LEAST_PER_HOUR = {"GBP": 600, "USD": 800}
FEE = Decimal("0.333")
"""The fee for academic researchers; others pay more."""
_SYMBOLS = {"GBP": "£", "USD": "$"}


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
                f"Prolific demands at least {least} for an hour: {reward} for {self.minutes} "
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

    >>> from gistmark.web.crowd.prolific.pay import shown
    >>> shown(150, "GBP"), shown(1234567, "USD"), shown(5, "EUR")
    ('£1.50', '$12,345.67', '0.05 EUR')
    """
    number = f"{Decimal(amount) / 100:,.2f}"
    symbol = _SYMBOLS.get(currency)
    return f"{symbol}{number}" if symbol else f"{number} {currency}"


def suggested_minutes(median_seconds: float | None, tasks: int) -> int | None:
    """How long a visit takes if each task takes the median time; None before anything is timed."""
    return None if median_seconds is None else max(1, ceil(median_seconds * tasks / 60))

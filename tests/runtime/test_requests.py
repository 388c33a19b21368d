"""How long a server asks to wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from gistmark.runtime.requests import retry_after


@pytest.mark.parametrize(
    ("header", "seconds"),
    [(None, None), ("", None), ("5", 5.0), ("0.5", 0.5), ("-3", 0.0), ("soon", None),
     ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("Wed, 99 Oct 2015 07:28:00 GMT", None)],
)  # fmt: skip
def test_seconds_and_past_dates(header: str | None, seconds: float | None) -> None:
    assert retry_after(header) == seconds


def test_a_date_that_is_to_come() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(minutes=10), usegmt=True)
    assert retry_after(date) == pytest.approx(600, abs=5)

"""What a market may be told: the manager's word, else that of the checks, and no answers."""

from __future__ import annotations

import pytest

from gistmark.web.annotate.models import Decision
from gistmark.web.config.codes import plain
from gistmark.web.crowd.approvals import (
    CAME_LATE,
    FLAGGED,
    NOT_PASSED,
    Standing,
    standing,
    standings_of,
)
from web.annotate.answering import done, taken
from web.crowd.working import LATE, TOO_FAST, WRONG, coded_campaign, worked

YES = Decision(accepted=True, reason="")


def no(reason: str) -> Decision:
    return Decision(accepted=False, reason=reason)


@pytest.mark.parametrize(
    ("state", "flags", "decision", "expected"),
    [
        ("done", [], None, Standing("approve")),
        ("done", [TOO_FAST], None, Standing("undecided", FLAGGED)),
        ("rejected", [WRONG], None, Standing("reject", NOT_PASSED)),
        ("rejected", [WRONG, TOO_FAST], None, Standing("reject", NOT_PASSED)),
        ("rejected", [LATE], None, Standing("undecided", CAME_LATE)),
        ("rejected", [LATE, WRONG], None, Standing("undecided", CAME_LATE)),
        ("done", [TOO_FAST], YES, Standing("approve")),
        ("done", [WRONG], YES, Standing("approve")),
        ("rejected", [], no("Not read."), Standing("reject", "Not read.")),
        ("rejected", [LATE], no(LATE["reason"]), Standing("reject", LATE["reason"])),
        ("rejected", [WRONG], no("Not read."), Standing("reject", "Not read.")),
        ("rejected", [WRONG], no(WRONG["reason"]), Standing("reject", NOT_PASSED)),
        ("rejected", [WRONG], no(f"No: {WRONG['reason']}"), Standing("reject", NOT_PASSED)),
        ("rejected", [WRONG], no(WRONG["reason"][:30] + "…"), Standing("reject", NOT_PASSED)),
        (
            "rejected",
            [WRONG, TOO_FAST],
            no(f"{WRONG['reason']} {TOO_FAST['reason']}"),
            Standing("reject", NOT_PASSED),
        ),
    ],
)
def test_what_becomes_of_a_task(state, flags, decision, expected):
    found = standing(
        state=state,
        flagged=bool(flags) and decision is None,
        flags=flags,
        decision=decision,
    )
    assert found == expected


@pytest.mark.django_db
def test_the_work_of_a_campaign_by_its_codes():
    made = worked()
    found = standings_of(made.campaign)
    words = {name: found[plain(code)].word for name, code in made.codes.items()}
    assert words == {
        "good": "approve", "flagged": "undecided", "failed": "reject", "late": "undecided",
        "accepted": "approve", "rejected": "reject",
    }  # fmt: skip
    assert len(found) == 6


@pytest.mark.django_db
def test_what_is_not_handed_in_and_other_campaigns_have_no_standing(annotator):
    campaign = coded_campaign((annotator,))
    other = coded_campaign((annotator,))
    taken(campaign, annotator)
    done(other, annotator)
    assert standings_of(campaign) == {}


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow_with_the_work(annotator, django_assert_num_queries):
    campaign = coded_campaign((annotator,))
    for _ in range(3):
        done(campaign, annotator)
        with django_assert_num_queries(2):
            standings_of(campaign)

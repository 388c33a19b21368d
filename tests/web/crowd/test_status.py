"""What a market may be told: the manager's word, else that of the checks, and no answers."""

from __future__ import annotations

import pytest

from gistmark.web.annotate.models import Decision
from gistmark.web.config.codes import plain
from gistmark.web.crowd.approvals import (
    CAME_LATE,
    FLAGGED,
    NOT_PASSED,
    Status,
    status_for,
    statuses_of,
)
from web.annotate.answering import claimed, done
from web.crowd.working import LATE, TOO_FAST, WRONG, coded_campaign, worked

YES = Decision(accepted=True, reason="")


def no(reason: str) -> Decision:
    return Decision(accepted=False, reason=reason)


@pytest.mark.parametrize(
    ("state", "flags", "decision", "expected"),
    [
        ("done", [], None, Status("approve")),
        ("done", [TOO_FAST], None, Status("undecided", FLAGGED)),
        ("rejected", [WRONG], None, Status("reject", NOT_PASSED)),
        ("rejected", [WRONG, TOO_FAST], None, Status("reject", NOT_PASSED)),
        ("rejected", [LATE], None, Status("undecided", CAME_LATE)),
        ("rejected", [LATE, WRONG], None, Status("undecided", CAME_LATE)),
        ("done", [TOO_FAST], YES, Status("approve")),
        ("done", [WRONG], YES, Status("approve")),
        ("rejected", [], no("Not read."), Status("reject", "Not read.")),
        ("rejected", [LATE], no(LATE["reason"]), Status("reject", LATE["reason"])),
        ("rejected", [WRONG], no("Not read."), Status("reject", "Not read.")),
        ("rejected", [WRONG], no(WRONG["reason"]), Status("reject", NOT_PASSED)),
        ("rejected", [WRONG], no(f"No: {WRONG['reason']}"), Status("reject", NOT_PASSED)),
        ("rejected", [WRONG], no(WRONG["reason"][:30] + "…"), Status("reject", NOT_PASSED)),
        (
            "rejected",
            [WRONG, TOO_FAST],
            no(f"{WRONG['reason']} {TOO_FAST['reason']}"),
            Status("reject", NOT_PASSED),
        ),
    ],
)
def test_what_becomes_of_a_task(state, flags, decision, expected):
    found = status_for(
        state=state,
        flagged=bool(flags) and decision is None,
        flags=flags,
        decision=decision,
    )
    assert found == expected


@pytest.mark.django_db
def test_the_work_of_a_campaign_by_its_codes():
    made = worked()
    found = statuses_of(made.campaign)
    words = {name: found[plain(code)].decision for name, code in made.codes.items()}
    assert words == {
        "good": "approve", "flagged": "undecided", "failed": "reject", "late": "undecided",
        "accepted": "approve", "rejected": "reject",
    }  # fmt: skip
    assert len(found) == 6


@pytest.mark.django_db
def test_what_is_not_handed_in_and_other_campaigns_have_no_standing(annotator):
    campaign = coded_campaign((annotator,))
    other = coded_campaign((annotator,))
    claimed(campaign, annotator)
    done(other, annotator)
    assert statuses_of(campaign) == {}


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow_with_the_work(annotator, django_assert_num_queries):
    campaign = coded_campaign((annotator,))
    for _ in range(3):
        done(campaign, annotator)
        with django_assert_num_queries(2):
            statuses_of(campaign)

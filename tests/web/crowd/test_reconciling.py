"""Reconciling: a market's file beside the visits here, whatever its columns are called."""

from __future__ import annotations

import pytest
from django.test import Client

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.annotate.services import decide
from gistmark.web.campaigns.services import give_consent
from gistmark.web.crowd.approvals import Status
from gistmark.web.crowd.models import Participant, Recruitment
from gistmark.web.crowd.outcomes import decline, settle
from gistmark.web.crowd.reconciling import (
    COLUMNS,
    NO_WORK,
    Reconciled,
    paid_over,
    reconcile_file,
    verdict_over,
)
from web.annotate.answering import done
from web.crowd.arriving import person, recruiting, visit
from web.crowd.working import TOO_FAST, mark

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ([], ""),
        (["counts", "counts"], "counts"),
        (["counts", "rejected"], "paid"),
        (["paid"], "paid"),
        (["rejected", "rejected"], "rejected"),
        (["counts", None], "undecided"),
    ],
)
def test_several_tasks_have_one_verdict(verdicts: list[str | None], verdict: str) -> None:
    assert verdict_over(verdicts) == verdict  # type: ignore[arg-type]


def test_who_did_anything_that_is_paid_is_paid() -> None:
    good, bad, waiting = Status("approve"), Status("reject", "Bad."), Status("undecided", "Wait.")
    assert paid_over([bad, good]) == good
    assert paid_over([bad, Status("reject", "Worse.")]) == bad
    assert paid_over([good, waiting]) == waiting
    assert paid_over([]) == Status("undecided", NO_WORK)


@pytest.fixture
def recruitment() -> Recruitment:
    """Four people of another market: one good, one rejected, one flagged, one who declined."""
    recruitment = recruiting(
        market="generic",
        tasks_per_participant=1,
        parameters={"participant": "worker", "study": "", "session": "place"},
    )
    campaign = recruitment.campaign
    for name in ("good", "bad", "flagged", "declined"):
        query = {"worker": name, "place": f"s-{name}"}
        assert Client().get(f"/crowd/{recruitment.key}/", query).status_code == 302
        user = person(name, "generic")
        if name == "declined":
            decline(visit("s-declined"))
            continue
        give_consent(campaign, user)
        submission = done(campaign, user)
        if name == "bad":
            decide(submission, campaign.owner, "rejected", "=It was\nnot read.")
        if name == "flagged":
            mark(submission, "done", TOO_FAST)
        settle(visit(f"s-{name}"))
    return recruitment


def reconciled(recruitment: Recruitment, *rows: str, bonus: str = "") -> Reconciled:
    return reconcile_file(recruitment, "\n".join(rows).encode(), None, bonus=bonus)


def added(result: Reconciled) -> list[tuple[str, ...]]:
    return [row[-len(COLUMNS) :] for row in result.sheet.rows]


def test_the_file_comes_back_with_verdicts_approvals_and_bonuses(
    recruitment: Recruitment,
) -> None:
    result = reconciled(
        recruitment, "Place,Age", "s-good,31", "s-bad,=1+1", "s-flagged,", "s-declined,7",
        bonus="0.50",
    )  # fmt: skip
    assert result.sheet.columns == ("Place", "Age", *COLUMNS)
    assert added(result) == [
        ("completed", "counts", "x", "", "0.50"),
        ("completed", "rejected", "", "'=It was not read.", ""),
        ("completed", "undecided", "", "", ""),
        ("no consent", "", "", "", ""),
    ]
    assert result.sheet.rows[1][1] == "'=1+1", "no cell is a formula"
    assert str(result) == "Approved 1, rejected 1, undecided 2; no differences."
    (event,) = recruitment.campaign.events.filter(verb="reconciled")
    assert (event.about["approved"], event.about["bonus"]) == (1, "0.50")


def test_people_are_found_by_their_own_ids_too(recruitment: Recruitment) -> None:
    rows = ("country,the worker", "GB, good ", "DE,bad", "FR,flagged", "FR,declined")
    assert [row[2] for row in added(reconciled(recruitment, *rows))] == ["x", "", "", ""]


def test_what_differs_is_listed(recruitment: Recruitment) -> None:
    codes = recruitment.codes
    result = reconciled(
        recruitment,
        "place,code",
        f"s-good,{codes['completed'].lower()}",
        f"s-declined,{codes['completed']}",
        "s-stranger,",
        "s-good,",
        "s-bad,NONSENSE",
    )
    flagged = Participant.objects.get(pid="flagged").user.username
    assert result.differences == (
        "Row 3: the code for completed was entered, but the visit ended with no consent.",
        "Row 4: nobody with this id has arrived here.",
        "Row 5: the participant of row 2 again.",
        "Row 6: the code that was entered is none of this recruitment.",
        f"{flagged} is not in the file, but ended here with completed.",
    )


def test_the_own_file_can_be_reconciled_again(recruitment: Recruitment) -> None:
    rows = ("place", "s-good", "s-bad", "s-flagged", "s-declined")
    once = reconciled(recruitment, *rows)
    again = reconciled(
        recruitment, *(",".join(row) for row in (once.sheet.columns, *once.sheet.rows))
    )
    assert added(again)[0] == added(once)[0]
    assert again.sheet.columns == once.sheet.columns


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The file is empty."),
        (b"place", "The file has no rows below the names of its columns."),
        (
            b"a,b\n1,2",
            "No column of the file has ids of participants or sessions that arrived here; its "
            "columns are a, b.",
        ),
        (b"a\n1,2", "Row 2 has 2 cells, but the first row names 1 columns."),
    ],
)
def test_a_wrong_file_gets_one_sentence(
    recruitment: Recruitment, data: bytes, sentence: str
) -> None:
    with pytest.raises(GistmarkError) as refused:
        reconcile_file(recruitment, data, None)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("bonus", ["-1", "0", "NaN", "inf", "ten", "10001", "1e9"])
def test_a_bonus_is_an_amount(recruitment: Recruitment, bonus: str) -> None:
    with pytest.raises(UsageError, match=r"A bonus is an amount such as 0\.50"):
        reconcile_file(recruitment, b"place\ns-good", None, bonus=bonus)

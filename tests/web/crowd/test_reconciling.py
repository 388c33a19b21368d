"""Files of participants: a market's beside the visits here, whatever its columns are called.

That of an export is only for managers who ask, and nothing else has the ids of a market.
"""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
from django.test import Client

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.campaigns.services.consents import give_consent
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
from gistmark.web.results.catalogue import EXPORTS
from gistmark.web.results.exports import Choices, export_to
from web.annotate.answering import done
from web.conftest import LogIn
from web.crowd.arriving import arrive, person, recruiting, visit
from web.crowd.working import TOO_FAST, mark
from web.factories import again, make_user

pytestmark = pytest.mark.django_db
PID, SESSION = "5f0c1d2e3a4b", "70aa11bb22cc"


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


@pytest.fixture(scope="module")
def made_recruitment(shared_db) -> Recruitment:
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


@pytest.fixture
def recruitment(made_recruitment, db) -> Recruitment:
    return again(made_recruitment)


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
        "Row 5: the same participant as row 2.",
        "Row 6: the code that was entered does not belong to this recruitment.",
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


@pytest.fixture(scope="module")
def made_recruited(shared_db) -> Recruitment:
    """A study in which somebody has finished."""
    recruited = recruiting(tasks_per_participant=1)
    arrive(Client(), recruited, pid=PID, session=SESSION)
    give_consent(recruited.campaign, person(PID))
    done(recruited.campaign, person(PID))
    settle(visit(SESSION))
    return recruited


@pytest.fixture
def recruited(made_recruited, admin) -> Recruitment:
    return again(made_recruited)


def content(data: bytes) -> bytes:
    """What an export holds, unpacked."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"\n".join(name.encode() + archive.read(name) for name in archive.namelist())


@pytest.mark.parametrize("form", [form for form in EXPORTS if form not in ("highres", "thesis")])
@pytest.mark.parametrize("names", [False, True])
def test_no_export_has_the_ids_unless_asked(
    recruited: Recruitment, form: str, names: bool, tmp_path: Path
) -> None:
    target = tmp_path / "export"
    export_to(recruited.campaign, form, target, Choices(names=names, rejected=True))
    written = content(target.read_bytes())
    assert not [word for word in (PID, SESSION) if word.encode() in written]


def test_a_manager_who_asks_gets_the_file_and_it_is_noted(
    recruited: Recruitment, log_in: LogIn
) -> None:
    campaign = recruited.campaign
    manager = log_in(campaign.owner)
    assert 'name="participants"' in manager.get(f"/campaigns/{campaign.key}/").text
    response = manager.get(f"/campaigns/{campaign.key}/export/folder/?participants=yes")
    with zipfile.ZipFile(io.BytesIO(b"".join(response))) as archive:
        text = archive.read("participants.csv").decode()
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["participant"], row["session"], row["outcome"]) == (PID, SESSION, "completed")
    assert row["annotator"].startswith("annotator-"), "as the other files call them"
    event = campaign.events.filter(verb="exported").first()
    assert event is not None
    assert event.about["participants"] is True
    assert event.user == campaign.owner


def test_nobody_else_gets_it(recruited: Recruitment, log_in: LogIn) -> None:
    where = f"/campaigns/{recruited.campaign.key}/export/folder/?participants=yes"
    participant = Client()
    arrive(participant, recruited, pid="other")
    assert participant.get(where).status_code == 403
    assert log_in(make_user("manager")).get(where).status_code == 404
    assert log_in().get(where).status_code == 302


def test_a_campaign_without_a_market_does_not_offer_it(log_in: LogIn) -> None:
    campaign = recruiting().campaign
    campaign.recruitments.all().delete()
    page = log_in(campaign.owner).get(f"/campaigns/{campaign.key}/").text
    assert 'name="participants"' not in page

"""The participants' file: only for managers who ask, and nothing else has the ids of a market."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
from django.test import Client

from gistmark.web.campaigns.services import give_consent
from gistmark.web.crowd.models import Recruitment
from gistmark.web.crowd.outcomes import settle
from gistmark.web.results.catalogue import EXPORTS
from gistmark.web.results.exports import Choices, export_to
from web.annotate.answering import done
from web.conftest import LogIn
from web.crowd.arriving import arrive, person, recruiting, visit
from web.factories import make_user

pytestmark = pytest.mark.django_db

PID, SESSION = "5f0c1d2e3a4b", "70aa11bb22cc"


@pytest.fixture
def recruitment(admin) -> Recruitment:
    """A study in which somebody has finished."""
    recruitment = recruiting(tasks_per_participant=1)
    arrive(Client(), recruitment, pid=PID, session=SESSION)
    give_consent(recruitment.campaign, person(PID))
    done(recruitment.campaign, person(PID))
    settle(visit(SESSION))
    return recruitment


def content(data: bytes) -> bytes:
    """What an export holds, unpacked."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"\n".join(name.encode() + archive.read(name) for name in archive.namelist())


@pytest.mark.parametrize("form", [form for form in EXPORTS if form not in ("highres", "thesis")])
@pytest.mark.parametrize("names", [False, True])
def test_no_export_has_the_ids_unless_asked(
    recruitment: Recruitment, form: str, names: bool, tmp_path: Path
) -> None:
    target = tmp_path / "export"
    export_to(recruitment.campaign, form, target, Choices(names=names, rejected=True))
    written = content(target.read_bytes())
    assert not [word for word in (PID, SESSION) if word.encode() in written]


def test_a_manager_who_asks_gets_the_file_and_it_is_noted(
    recruitment: Recruitment, log_in: LogIn
) -> None:
    campaign = recruitment.campaign
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


def test_nobody_else_gets_it(recruitment: Recruitment, log_in: LogIn) -> None:
    where = f"/campaigns/{recruitment.campaign.key}/export/folder/?participants=yes"
    participant = Client()
    arrive(participant, recruitment, pid="other")
    assert participant.get(where).status_code == 403
    assert log_in(make_user("manager")).get(where).status_code == 404
    assert log_in().get(where).status_code == 302


def test_a_campaign_without_a_market_does_not_offer_it(log_in: LogIn) -> None:
    campaign = recruiting().campaign
    campaign.recruitments.all().delete()
    page = log_in(campaign.owner).get(f"/campaigns/{campaign.key}/").text
    assert 'name="participants"' not in page

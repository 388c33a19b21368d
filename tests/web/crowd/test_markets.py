"""Markets: what each calls its parameters and where it takes people back, and how one is added."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest
from django.test import Client

from gistmark import registry
from gistmark.errors import GistmarkError, UsageError
from gistmark.web.crowd.markets import MARKETS, Market, Parameters, get_market
from gistmark.web.crowd.recruitments import change_recruitment, create_recruitment, study_address
from gistmark.web.crowd.settings import RecruitmentSettings
from web.crowd.arriving import person, recruiting
from web.factories import make_campaign

pytestmark = pytest.mark.django_db


class Bazaar(Market):
    """A market that a plugin adds."""

    title = "Bazaar"

    def parameters(self, settings: RecruitmentSettings) -> Parameters:
        return Parameters("haggler")

    def return_address(
        self, settings: RecruitmentSettings, outcome: object, *, code: str, session: str
    ) -> str:
        return f"https://bazaar.example/{session}?{outcome}={code}"


@pytest.fixture
def bazaar(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A plugin that adds a market, as an installed distribution would."""
    entry = EntryPoint("bazaar", "a_market:Bazaar", "gistmark.markets")
    monkeypatch.setitem(sys.modules, "a_market", SimpleNamespace(Bazaar=Bazaar))
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [entry] if group == MARKETS.group else []
    )
    MARKETS.__dict__.pop("_plugins", None)
    yield
    MARKETS.__dict__.pop("_plugins", None)
    get_market.cache_clear()


@pytest.mark.usefixtures("bazaar")
def test_a_plugin_adds_a_market(admin, log_in) -> None:
    recruitment = recruiting(market="bazaar")
    campaign = recruitment.campaign
    assert study_address(recruitment, "https://a.example/") == (
        f"https://a.example/crowd/{recruitment.key}/"
    )
    client = Client()
    assert client.get(f"/crowd/{recruitment.key}/", {"haggler": "h7"}).status_code == 302
    assert person("h7", "bazaar").from_market
    client.post(f"/work/{campaign.key}/decline/")
    page = client.get(f"/work/{campaign.key}/finish/").text
    assert f"https://bazaar.example/h7?no_consent={recruitment.codes['no_consent']}" in page
    assert "Bazaar" in log_in(campaign.owner).get(f"/campaigns/{campaign.key}/markets/").text


def test_a_market_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match="no market 'bazaar'; markets are prolific, connect"):
        recruiting(market="bazaar")
    with pytest.raises(GistmarkError, match="bazaar"):
        get_market("bazaar")


def test_prolific_gets_an_address_with_its_placeholders() -> None:
    recruitment = recruiting()
    assert study_address(recruitment, "https://a.example") == (
        f"https://a.example/crowd/{recruitment.key}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
        "&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )


def test_codes_and_sessions_in_a_return_address_are_quoted() -> None:
    settings = RecruitmentSettings(
        return_addresses={"completed": "https://m.example/{session}?c={code}"}
    )
    address = get_market("generic").return_address(
        settings, "completed", code="A&B", session="x/../y"
    )
    assert address == "https://m.example/x%2F..%2Fy?c=A%26B"
    assert not get_market("generic").return_address(settings, "too_late", code="A", session="x")


def test_a_closed_campaign_recruits_nobody() -> None:
    campaign = make_campaign()
    campaign.state = "closed"
    with pytest.raises(GistmarkError, match="is closed and recruits nobody"):
        create_recruitment(campaign, market="generic", settings=RecruitmentSettings(), by=None)


def test_a_study_of_the_market_recruits_once() -> None:
    first, second = recruiting(), recruiting()
    change_recruitment(first, None, study="abc")
    with pytest.raises(UsageError, match="recruits for another campaign already"):
        change_recruitment(second, None, study="abc")
    with pytest.raises(UsageError, match="has 1 to 100 letters"):
        change_recruitment(second, None, study="a b")

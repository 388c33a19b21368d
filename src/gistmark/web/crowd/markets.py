"""Crowd markets: how people come from each and go back to it.

A market is one class (`Market`). To add one, write the class and name it in `MARKETS`; pages,
arrival and outcomes take it from there. A package can add one through an entry point of
`gistmark.markets`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote, urlencode

from django.conf import settings as django_settings

from gistmark.registry import Registry
from gistmark.web.crowd.settings import OUTCOMES, Outcome, RecruitmentSettings

if TYPE_CHECKING:
    from gistmark.web.crowd.models import Recruitment


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a study's address calls the ids that the market adds to it.

    An empty name stands for an id that the market does not send. Without a session, the
    participant's id counts as one: then everybody comes once.
    """

    participant: str
    study: str = ""
    session: str = ""


class Market(ABC):
    """A market: the names of its parameters, and the way back to it."""

    title: ClassVar[str]
    """What it is called on pages."""
    token_parameter: ClassVar[str] = ""
    """The parameter with a signed token that proves whose session it is, where there is one."""
    gone: ClassVar[frozenset[str]] = frozenset()
    """The market's words for a visit whose place is no longer the participant's."""

    @abstractmethod
    def parameters(self, settings: RecruitmentSettings) -> Parameters:
        """What the address calls the ids."""

    def study_address(self, address: str, settings: RecruitmentSettings) -> str:
        """The address to give to the market, with its own placeholders where it needs any."""
        return address

    def return_address(
        self, settings: RecruitmentSettings, outcome: Outcome, *, code: str, session: str
    ) -> str:
        """Where a participant goes in the end; empty where they only copy the code."""
        template = settings.return_addresses.get(outcome, "")
        return template.replace("{code}", quote(code, safe="")).replace(
            "{session}", quote(session, safe="")
        )

    def keys_address(self) -> str:
        """Where the public keys of its tokens are; empty where it signs none."""
        return ""


_RETURN = "https://app.prolific.com/submissions/complete"
_OF_PROLIFIC = Parameters("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
_TYPES: dict[Outcome, str] = {
    "completed": "COMPLETED",
    "no_consent": "NO_CONSENT",
    "failed_comprehension": "OTHER",
    "screened_out": "SCREENED_OUT",
    "too_late": "OTHER",
}
_RETURN_REASONS: dict[Outcome, str] = {
    "no_consent": "You chose not to take part in this study.",
    "failed_comprehension": (
        "Some answers to the questions about the instructions were not right in either try."
    ),
    "screened_out": "The practice showed that this study is not a good fit.",
}


class Prolific(Market):
    """Sends a signed token too, where the workspace has secured study addresses."""

    title = "Prolific"
    token_parameter = "prolific_token"  # noqa: S105
    gone: ClassVar[frozenset[str]] = frozenset({"RETURNED", "TIMED-OUT"})

    def parameters(self, settings: RecruitmentSettings) -> Parameters:
        return _OF_PROLIFIC

    def study_address(self, address: str, settings: RecruitmentSettings) -> str:
        names = self.parameters(settings)
        query = "&".join(
            f"{name}={{{{%{name}%}}}}" for name in (names.participant, names.study, names.session)
        )
        return f"{address}?{query}"

    def return_address(
        self,
        settings: RecruitmentSettings,
        outcome: Outcome,
        *,
        code: str,
        session: str,
    ) -> str:
        return f"{_RETURN}?{urlencode({'cc': code})}"

    def keys_address(self) -> str:
        return f"{django_settings.PROLIFIC_URL.rstrip('/')}/.well-known/study/jwks.json"


def completion_codes(recruitment: Recruitment) -> list[dict[str, Any]]:
    """The codes of all outcomes as Prolific's API takes them, each with what it leads to.

    Nobody is rejected for not agreeing, for a misunderstanding or for the practice: they are asked
    to return their place. What came late waits for a manager.
    """
    return [
        {
            "code": recruitment.codes[outcome],
            "code_type": _TYPES[outcome],
            "actor": "participant",
            "actions": [_action(outcome, recruitment.read_settings())],
        }
        for outcome in OUTCOMES
    ]


def _action(outcome: Outcome, settings: RecruitmentSettings) -> dict[str, str]:
    if outcome in _RETURN_REASONS:
        return {"action": "REQUEST_RETURN", "return_reason": _RETURN_REASONS[outcome]}
    if outcome == "completed" and settings.approve_automatically:
        return {"action": "AUTOMATICALLY_APPROVE"}
    return {"action": "MANUALLY_REVIEW"}


_OF_CONNECT = Parameters("participantId", "projectId", "assignmentId")


class Connect(Market):
    """People copy their code, or go to the address that Connect shows for it, if it is given."""

    title = "CloudResearch Connect"

    def parameters(self, settings: RecruitmentSettings) -> Parameters:
        return _OF_CONNECT


_USUAL = Parameters("participant", "study", "session")


class Generic(Market):
    """Everything about it is in the settings."""

    title = "Another market"

    def parameters(self, settings: RecruitmentSettings) -> Parameters:
        names = settings.parameters
        return Parameters(
            names.get("participant") or _USUAL.participant,
            names.get("study", _USUAL.study),
            names.get("session", _USUAL.session),
        )


_HERE = "gistmark.web.crowd.markets"
MARKETS: Registry[type[Market]] = Registry(
    "market",
    "gistmark.markets",
    {
        "prolific": f"{_HERE}:Prolific",
        "connect": f"{_HERE}:Connect",
        "generic": f"{_HERE}:Generic",
    },
    base=Market,
)


@cache
def get_market(name: str) -> Market:
    """The market of this name; an unknown name is an error that lists the known ones."""
    return MARKETS.get(name)()

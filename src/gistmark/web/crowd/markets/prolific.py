"""Prolific: three parameters, a return address with the completion code, and signed addresses."""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import urlencode

from django.conf import settings as django_settings

from gistmark.web.crowd.markets.market import Market, Parameters
from gistmark.web.crowd.models import Recruitment
from gistmark.web.crowd.settings import OUTCOMES, Outcome, RecruitmentSettings

_RETURN = "https://app.prolific.com/submissions/complete"
_PARAMETERS = Parameters("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
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
        return _PARAMETERS

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

"""Any other market: a manager says what its parameters are called and where each outcome leads."""

from __future__ import annotations

from gistmark.web.crowd.markets.market import Market, Parameters
from gistmark.web.crowd.settings import RecruitmentSettings

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

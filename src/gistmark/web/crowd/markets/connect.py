"""CloudResearch Connect: it adds three parameters to the study's address by itself."""

from __future__ import annotations

from gistmark.web.crowd.markets.market import Market, Parameters
from gistmark.web.crowd.settings import RecruitmentSettings

_PARAMETERS = Parameters("participantId", "projectId", "assignmentId")


class Connect(Market):
    """People copy their code, or go to the address that Connect shows for it, if it is given."""

    title = "CloudResearch Connect"

    def parameters(self, settings: RecruitmentSettings) -> Parameters:
        return _PARAMETERS

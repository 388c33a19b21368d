"""What the platform has to know about a crowd market."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote

from gistmark.web.crowd.settings import Outcome, RecruitmentSettings


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

"""The audit trail in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gistmark.web.campaigns.models import Campaign, Event

_WORDS: Mapping[str, str] = {
    "made": "made the campaign",
    "started": "started the campaign",
    "paused": "paused the campaign",
    "resumed": "resumed the campaign",
    "closed": "closed the campaign",
    "joined": "let {user} take part",
    "consented": "accepted the terms",
    "submitted": "handed in task {slot}",
    "edited": "changed task {slot}",
    "accepted": "accepted task {slot}",
    "rejected": "rejected task {slot}: {reason}",
    "released": "released task {slot}",
    "regained": "got task {slot} back",
    "lapsed": "opened task {slot}, whose lease had ended",
    "allocated": "allocated tasks",
    "settings-changed": "changed the settings",
    "protocol-changed": "changed the protocol",
    "checks-generated": "generated checks",
    "checks-approved": "approved all checks",
    "check-approved": "approved a check",
    "check-rewritten": "rewrote a check",
    "check-added": "wrote a check",
    "check-removed": "removed a check",
    "approvals-filled": "filled in approvals for a crowd market",
    "exported": "exported the results as {format}",
}
_SERVER = "The platform"


@dataclass(frozen=True, slots=True)
class Told:
    """One event as a sentence without its end: who, what, when."""

    who: str
    what: str
    at: datetime


def latest_events(campaign: Campaign, count: int = 10) -> list[Told]:
    """The latest events of a campaign, the newest first; that tasks are taken is no news."""
    events = campaign.events.exclude(verb="took").select_related("user")
    return [_told(event) for event in events[:count]]


def _told(event: Event) -> Told:
    who = _SERVER if event.user is None else event.user.username
    if event.verb == "joined" and event.about.get("user") == who:
        return Told(who, "joined", event.at)
    words = _WORDS.get(event.verb, event.verb)
    return Told(who, words.format_map(_Known(event.about)), event.at)


class _Known(dict[str, Any]):
    """What an event is about; several slots stand for one, and what is not told is left open."""

    def __missing__(self, name: str) -> str:
        several = self.get("slots")
        return ", ".join(several) if name == "slot" and several else "…"

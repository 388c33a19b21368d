"""The latest events of a campaign's audit trail, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gistmark.web.campaigns.models import Campaign, Event

WORDS: Mapping[str, str] = {
    "made": "created the campaign",
    "started": "started the campaign",
    "pilot-started": "started a pilot with {annotators} annotators",
    "pilot-kept": "kept the work of the pilot ({submissions} submissions) and started the campaign",
    "pilot-discarded": "threw the work of the pilot away ({submissions} submissions)",
    "paused": "paused the campaign",
    "resumed": "resumed the campaign",
    "closed": "closed the campaign",
    "copied": "copied the campaign from {source}",
    "archived": "archived the campaign",
    "restored": "restored the campaign",
    "joined": "let {user} take part",
    "transferred": "gave the campaign to {owner}",
    "retention": "erased {people} annotators, as long after the end as the settings say",
    "left": "removed {user} from the campaign",
    "consented": "accepted the terms",
    "submitted": "submitted task {slot}",
    "edited": "changed task {slot}",
    "accepted": "accepted task {slot}",
    "rejected": "rejected task {slot}: {reason}",
    "paid": "decided to pay but not count task {slot}",
    "accepted-many": "accepted {count} tasks",
    "paid-many": "decided to pay but not count {count} tasks",
    "rejected-many": "rejected {count} tasks: {reason}",
    "undone": "undid {count} decisions",
    "adjudicated": "adjudicated {item}",
    "adjudication-withdrawn": "withdrew the adjudication of {item}",
    "adjudication-given": "gave {item} to {annotator} to adjudicate",
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
    "units-merged": "merged the content units of {document}",
    "second-stage": "made the second stage, {name}",
    "sampled": "chose {documents} of {of} documents by {method}",
    "sample-dropped": "let all documents be judged",
    "helper-stored": "stored scores of {summaries} summaries; the helper is {helper}",
    "helper-removed": "removed the stored scores",
    "adaptive-on": "let the campaign choose its tasks adaptively",
    "adaptive-off": "let the campaign no longer choose its tasks adaptively",
    "adaptive-stopping": "changed whether the campaign stops by itself",
    "stopped": "stopped giving out tasks: {decided} of {pairs} pairs of systems decided",
    "went-on": "went on giving out tasks",
    "practice-changed": "changed the practice",
    "practice-begun": "began the practice",
    "practice-finished": "finished the practice",
    "comprehension": "answered the questions about the study",
    "qualification-granted": "let {user} do tasks without practice",
    "qualification-withdrawn": "withdrew the qualification of {user}",
    "tries-forgiven": "gave {user} new tries",
    "new-version": "made a new version, {name}",
    "version-made": "made it as a new version of {previous}",
    "invited-by-mail": "sent {invitations} invitations by e-mail",
    "reminded": "reminded {annotators} annotators of their tasks",
    "machine-added": "added the machine {machine}, the model {model}",
    "machine-changed": "said that the machine {machine} is the model {model}",
    "machine-token-made": "made a token for the machine {machine}",
    "machine-token-revoked": "revoked a token of the machine {machine}",
    "webhook-made": "added a webhook",
    "webhook-removed": "removed a webhook",
    "recruitment-made": "made a study for the market {market}",
    "recruitment-changed": "changed a study on a crowd market",
    "study-created": "made a study on Prolific",
    "visit-status": "is {status} on Prolific",
    "study-status": "noted that a study on Prolific is {status}",
    "study-places": "set the places of a study to {places}",
    "study-compared": "compared a study with Prolific",
    "browser-let-in": "let another browser of {user} in",
    "visit-ended": "ended the visit from a crowd market",
    "reconciled": "reconciled a file of a crowd market",
    "submission-approve": "approved {count} submissions on Prolific",
    "submission-reject": "rejected {count} submissions on Prolific",
    "submission-return": "asked for the return of {count} submissions on Prolific",
    "bonus-set-up": "set up bonuses on Prolific",
    "bonus-sent": "paid bonuses on Prolific",
    "bonus-dropped": "gave up bonuses on Prolific",
    "approvals-filled": "filled in approvals for a crowd market",
    "exported": "exported the results as {format}",
}
_SERVER = "The platform"
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event as a sentence without its end: who, what, when."""

    who: str
    what: str
    at: datetime


def latest_events(campaign: Campaign) -> list[EventLine]:
    """The latest events of a campaign, the newest first; that a task was claimed is no news."""
    events = campaign.events.exclude(verb="took").select_related("user")
    return [_line(event) for event in events[:_SHOWN]]


def _line(event: Event) -> EventLine:
    who = _SERVER if event.user is None else event.user.username
    if event.verb == "joined" and event.about.get("user") == who:
        return EventLine(who, "joined", event.at)
    words = WORDS.get(event.verb, event.verb)
    return EventLine(who, words.format_map(_Known(event.about)), event.at)


class _Known(dict[str, Any]):
    """What an event is about; several slots stand for one, and what is not known is left open."""

    def __missing__(self, name: str) -> str:
        several = self.get("slots")
        return ", ".join(several) if name == "slot" and several else "…"

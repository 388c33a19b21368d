"""A market that behaves as Prolific does: studies, submissions, payments and events.

It keeps everything in memory. Tests act as participants through its methods; the platform reaches
it over HTTP (`market_server`).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, fields
from threading import RLock
from typing import Any

FEE = 0.25
TAX = 0.2
WORKSPACE = "665000000000000000000001"
TRANSITIONS = {
    ("UNPUBLISHED", "PUBLISH"): "ACTIVE",
    ("ACTIVE", "PAUSE"): "PAUSED",
    ("PAUSED", "START"): "ACTIVE",
    ("ACTIVE", "STOP"): "COMPLETED",
    ("PAUSED", "STOP"): "COMPLETED",
}
LANGUAGES = {"19": "English", "20": "German", "21": "French"}
COUNTRIES = {"0": "United Kingdom", "1": "United States", "2": "Germany"}
FREE_AGAIN = ("RETURNED", "TIMED-OUT")


class RefusedError(Exception):
    """What the market refuses, in its own words."""

    def __init__(self, detail: str, status: int = 400) -> None:
        super().__init__(detail)
        self.status = status


@dataclass
class Taken:
    """One participant's submission."""

    id: str
    participant: str
    study: str
    status: str = "ACTIVE"
    code: str | None = None
    completed_at: str | None = None
    return_requested: str | None = None
    rejection: tuple[str, str] | None = None
    bonuses: list[int] = field(default_factory=list)


@dataclass
class Event:
    """A signed event, ready to be delivered; delivering it twice is what a market may do."""

    target: str
    body: bytes
    headers: dict[str, str]


def draw_id() -> str:
    return secrets.token_hex(12)


def moment() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@dataclass
class Market:
    """The whole market. `payments` is its ledger: one entry for everything that it paid out."""

    token: str = field(default_factory=lambda: f"token-{secrets.token_hex(16)}")
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)
    submissions: dict[str, Taken] = field(default_factory=dict)
    payments: list[tuple[str, int, str]] = field(default_factory=list)
    bulks: dict[str, tuple[str, dict[str, int]]] = field(default_factory=dict)
    secret: str = ""
    subscriptions: dict[str, dict[str, Any]] = field(default_factory=dict)
    confirmations: dict[str, str] = field(default_factory=dict)
    outbox: list[Event] = field(default_factory=list)
    lock: RLock = field(default_factory=RLock)
    filters: dict[str, dict[str, str]] = field(
        default_factory=lambda: {
            "fluent-languages": LANGUAGES,
            "current-country-of-residence": COUNTRIES,
            "previous_studies_blocklist": {},
        }
    )

    def copy(self) -> Market:
        """Another market in which everything is as it is here now."""
        kept = [each.name for each in fields(self) if each.name != "lock"]
        return Market(**{name: deepcopy(getattr(self, name)) for name in kept})

    # What participants do

    def take(self, study: str, participant: str | None = None) -> Taken:
        """Somebody takes a place of a study."""
        with self.lock:
            known = self.studies[study]
            if known["status"] != "ACTIVE":
                raise RefusedError(f"The study is {known['status']}.")
            mine = [each for each in self.submissions.values() if each.study == study]
            if participant in {each.participant for each in mine}:
                raise RefusedError("The participant has taken this study before.")
            if self.places_taken(study) >= known["total_available_places"]:
                raise RefusedError("The study is full.")
            taken = Taken(draw_id(), participant or draw_id(), study)
            self.submissions[taken.id] = taken
            self._tell(taken)
            return taken

    def address(self, taken: Taken) -> str:
        """Where the market sends the participant."""
        address = self.studies[taken.study]["external_study_url"]
        values = {
            "PROLIFIC_PID": taken.participant,
            "STUDY_ID": taken.study,
            "SESSION_ID": taken.id,
        }
        for name, value in values.items():
            address = address.replace(f"{{{{%{name}%}}}}", value)
        return str(address)

    def complete(self, session: str, code: str) -> None:
        """The participant comes back with a code; a second time changes nothing."""
        with self.lock:
            taken = self.submissions[session]
            if taken.status not in ("ACTIVE", "TIMED-OUT"):
                return
            taken.code, taken.completed_at = code, moment()
            codes = self.studies[taken.study]["completion_codes"]
            actions = [a for each in codes if each["code"] == code for a in each["actions"]]
            names = {action["action"] for action in actions}
            if "REQUEST_RETURN" in names:
                taken.return_requested = moment()
            self._move(taken, "AWAITING REVIEW")
            if "AUTOMATICALLY_APPROVE" in names:
                self.approve(session)

    def give_back(self, session: str) -> None:
        """The participant returns the submission."""
        self._move(self.submissions[session], "RETURNED")

    def time_out(self, session: str) -> None:
        """The participant took too long."""
        self._move(self.submissions[session], "TIMED-OUT")

    # What researchers do

    def approve(self, session: str) -> None:
        with self.lock:
            taken = self._known(session)
            if taken.status == "APPROVED":
                return
            if taken.status not in ("AWAITING REVIEW", "TIMED-OUT"):
                raise RefusedError(f"A submission that is {taken.status} cannot be approved.")
            self.payments.append((session, self.studies[taken.study]["reward"], "reward"))
            self._move(taken, "APPROVED")

    def reject(self, session: str, category: str | None, message: str) -> None:
        with self.lock:
            taken = self._known(session)
            if taken.status == "REJECTED":
                return
            if taken.status != "AWAITING REVIEW":
                raise RefusedError(f"A submission that is {taken.status} cannot be rejected.")
            if category is None or len(message) < 100:
                raise RefusedError("The message must have at least 100 characters.")
            taken.rejection = (category, message)
            self._move(taken, "REJECTED")

    def ask_back(self, session: str) -> Taken:
        with self.lock:
            taken = self._known(session)
            if taken.status not in ("ACTIVE", "AWAITING REVIEW"):
                raise RefusedError(f"A submission that is {taken.status} cannot be returned.")
            taken.return_requested = moment()
            return taken

    def move_study(self, study: str, action: str) -> dict[str, Any]:
        with self.lock:
            known = self.find_study(study)
            following = TRANSITIONS.get((known["status"], action))
            if following is None:
                raise RefusedError(f"A study that is {known['status']} cannot {action}.")
            known["status"] = following
            self._event("study.status.change", study, status=following, metadata={})
            return known

    def find_study(self, study: str) -> dict[str, Any]:
        if study not in self.studies:
            raise RefusedError("Study not found.", 404)
        return self.studies[study]

    def set_up_bonuses(self, study: str, rows: str) -> tuple[str, dict[str, int]]:
        amounts: dict[str, int] = {}
        for row in rows.splitlines():
            name, _, amount = row.partition(",")
            if self._known(name).study != study:
                raise RefusedError(f"{name} did not take part in the study.")
            amounts[name] = round(float(amount) * 100)
        bulk = draw_id()
        self.bulks[bulk] = (study, amounts)
        return bulk, amounts

    def pay(self, bulk: str) -> None:
        """Pays every time that it is told to, as Prolific warns."""
        if bulk not in self.bulks:
            raise RefusedError("Bonus not found.", 404)
        for session, amount in self.bulks[bulk][1].items():
            self.submissions[session].bonuses.append(amount)
            self.payments.append((session, amount, "bonus"))

    def places_taken(self, study: str) -> int:
        mine = (each for each in self.submissions.values() if each.study == study)
        return sum(each.status not in FREE_AGAIN for each in mine)

    # Events

    def deliver(self, post: Callable[[Event], int]) -> list[int]:
        """Send all events that wait, each once; returns the statuses of the answers."""
        with self.lock:
            waiting, self.outbox = self.outbox, []
        return [post(event) for event in waiting]

    def signed(self, target: str, body: bytes, *, at: int | None = None) -> Event:
        """An event as the market signs it; `at` is when it was, in seconds."""
        stamp = str(int(time.time()) if at is None else at)
        mac = hmac.new(self.secret.encode(), stamp.encode() + body, hashlib.sha256)
        headers = {
            "X-Prolific-Request-Timestamp": stamp,
            "X-Prolific-Request-Signature": base64.b64encode(mac.digest()).decode(),
            "X-Event-ID": draw_id(),
            "Content-Type": "application/json",
        }
        return Event(target, body, headers)

    def _known(self, session: str) -> Taken:
        if session not in self.submissions:
            raise RefusedError("Submission not found.", 404)
        return self.submissions[session]

    def _move(self, taken: Taken, status: str) -> None:
        with self.lock:
            taken.status = status
            self._tell(taken)

    def _tell(self, taken: Taken) -> None:
        self._event(
            "submission.status.change",
            taken.id,
            status=taken.status,
            participant_id=taken.participant,
        )

    def _event(self, kind: str, resource: str, **about: object) -> None:
        body = json.dumps({"event_type": kind, "resource_id": resource, **about}).encode()
        for each in self.subscriptions.values():
            if each["event_type"] == kind and each["is_enabled"]:
                self.outbox.append(self.signed(each["target_url"], body))

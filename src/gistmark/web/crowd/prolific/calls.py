"""The calls of Prolific's API that the platform makes, with what it reads of each answer.

Amounts are in the smallest unit of the currency, such as pence or cents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal
from urllib.parse import parse_qsl, quote, urlsplit

from gistmark.web.crowd.prolific.client import Client, MarketError, UnsureError

StudyAction = Literal["PUBLISH", "PAUSE", "START", "STOP"]
MOST_APPROVED = 1000
MOST_BONUSES = 200
"""So many submissions Prolific recommends for one request."""
_MOST_PAGES = 500
_API = "/api/v1"


@dataclass(frozen=True, slots=True)
class Study:
    """A study as the market knows it; `status` is one of its own, such as ACTIVE."""

    id: str
    status: str
    internal_name: str = ""
    places: int | None = None


@dataclass(frozen=True, slots=True)
class MarketSubmission:
    """One participant's go at a study; `code` is the completion code that was entered."""

    id: str
    participant: str
    status: str
    code: str = ""
    started_at: str = ""


@dataclass(frozen=True, slots=True)
class BulkBonus:
    """Bonuses that are set up and not paid yet; `total` includes fees and tax."""

    id: str
    amount: int
    fees: int
    tax: int
    total: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter of the market; `choices` has the market's id of each choice by its title."""

    id: str
    choices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Subscription:
    """A subscription to events; `secret` confirms it, and comes only when it is made."""

    id: str
    event_type: str
    address: str
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Prolific:
    """Prolific, as the owner of a token sees it."""

    client: Client

    def user_id(self) -> str:
        """Who the token belongs to; an error says that it does not work."""
        return _text(self.client.get(f"{_API}/users/me/"), "id")

    def workspaces(self) -> dict[str, str]:
        """The workspaces of the token's owner: title by id."""
        return {_text(each, "id"): _text(each, "title") for each in self._all("/workspaces/")}

    def currency(self, workspace: str) -> str:
        """The currency that a workspace pays in."""
        return _text(
            self.client.get(f"{_API}/workspaces/{_part(workspace)}/balance/"), "currency_code"
        )

    # Studies

    def create_study(self, study: Mapping[str, Any]) -> Study:
        """Make a draft; without an answer nobody knows whether there is one."""
        reply = self.client.send("POST", f"{_API}/studies/", dict(study), repeatable=False)
        return _study(reply.body)

    def update_study(self, study: str, changes: Mapping[str, Any]) -> Study:
        """Change a study to these values; the same change again changes nothing more."""
        path = f"{_API}/studies/{_part(study)}/"
        return _study(self.client.send("PATCH", path, dict(changes), repeatable=True).body)

    def study(self, study: str) -> Study:
        """A study as it is now."""
        return _study(self.client.get(f"{_API}/studies/{_part(study)}/"))

    def studies(self) -> list[Study]:
        """All studies that the token's owner can see."""
        return [_study(each) for each in self._all("/studies/")]

    def transition(self, study: str, action: StudyAction) -> Study:
        """Publish, pause, resume or stop a study."""
        path = f"{_API}/studies/{_part(study)}/transition/"
        return _study(self.client.send("POST", path, {"action": action}, repeatable=False).body)

    def cost(self, *, reward: int, places: int) -> int:
        """What a study costs with fees and tax, as the token's account pays them."""
        body = {"reward": reward, "total_available_places": places}
        path = f"{_API}/study-cost-calculator/"
        return _number(self.client.send("POST", path, body, repeatable=True).body, "total_cost")

    def least_per_hour(self, workspace: str, currency: str) -> int:
        """The least reward for an hour that the market recommends."""
        query = {"workspace_id": workspace, "currency": currency}
        rates = self.client.get(f"{_API}/reward-recommendations/", query)
        if not isinstance(rates, list) or not rates:
            raise _odd("a recommendation of rewards")
        return _number(rates[0], "min_reward_per_hour")

    def filters(self, workspace: str) -> dict[str, Choice]:
        """The filters that a study can have, by their id."""
        query = {"workspace_id": workspace} if workspace else {}
        found = [_filter(each) for each in self._all("/filters/", query)]
        return {each.id: each for each in found}

    # Submissions

    def submissions(self, study: str) -> list[MarketSubmission]:
        """All submissions of a study."""
        return [_submission(e) for e in self._all(f"/studies/{_part(study)}/submissions/")]

    def submission(self, submission: str) -> tuple[MarketSubmission, tuple[int, ...]]:
        """One submission, and the bonuses that were paid for it."""
        body = self.client.get(f"{_API}/submissions/{_part(submission)}/")
        bonuses = body.get("bonus_payments") if isinstance(body, dict) else None
        return _submission(body), tuple(round(each) for each in bonuses or ())

    def counts(self, study: str) -> dict[str, int]:
        """How many submissions have each status."""
        body = self.client.get(f"{_API}/studies/{_part(study)}/submissions/counts/")
        if not isinstance(body, dict):
            raise _odd("counts of submissions")
        return {
            name: round(count) for name, count in body.items() if isinstance(count, int | float)
        }

    def approve(self, submissions: Sequence[str]) -> None:
        """Approve submissions, which pays them; one that is approved already stays as it is."""
        for start in range(0, len(submissions), MOST_APPROVED):
            some = list(submissions[start : start + MOST_APPROVED])
            path = f"{_API}/submissions/bulk-approve/"
            self.client.send("POST", path, {"submission_ids": some}, repeatable=True)

    def reject(self, submission: str, category: str, message: str) -> str:
        """Reject a submission, so that it is not paid; returns the status it has then."""
        body = {"action": "REJECT", "rejection_category": category, "message": message}
        path = f"{_API}/submissions/{_part(submission)}/transition/"
        return _text(self.client.send("POST", path, body, repeatable=True).body, "status")

    def request_return(self, submission: str, reasons: Sequence[str]) -> None:
        """Write to a participant that the submission should be returned, which pays nothing."""
        path = f"{_API}/submissions/{_part(submission)}/request-return/"
        body = {"request_return_reasons": list(reasons)}
        self.client.send("POST", path, body, repeatable=False)

    # Bonuses

    def set_up_bonuses(self, study: str, amounts: Mapping[str, int]) -> BulkBonus:
        """Name bonuses by submission and learn what they cost; this pays nothing yet."""
        lines = [f"{name},{Decimal(amount) / 100:.2f}" for name, amount in amounts.items()]
        body = {"study_id": study, "csv_bonuses": "\n".join(lines)}
        path = f"{_API}/submissions/bonus-payments/"
        reply = self.client.send("POST", path, body, repeatable=False).body
        return BulkBonus(
            _text(reply, "id"),
            _number(reply, "amount", sum(amounts.values())),
            _number(reply, "fees", 0),
            _number(reply, "vat", 0),
            _number(reply, "total_amount"),
        )

    def pay_bonuses(self, bulk: str) -> None:
        """Pay what was set up. Twice pays twice, so this is never sent again by itself."""
        path = f"{_API}/bulk-bonus-payments/{_part(bulk)}/pay/"
        self.client.send("POST", path, repeatable=False)

    # Webhooks

    def hook_secret(self, workspace: str) -> str:
        """The secret that signs the events of a workspace; one is made where there is none.

        A new one would end the old one, which others may use.
        """
        for each in self._all("/hooks/secrets/", {"workspace_id": workspace}):
            if isinstance(each, dict) and each.get("workspace_id", workspace) == workspace:
                return _text(each, "value")
        body = {"workspace_id": workspace}
        reply = self.client.send("POST", f"{_API}/hooks/secrets/", body, repeatable=False)
        return _text(reply.body, "value")

    def subscriptions(self, workspace: str) -> list[Subscription]:
        """The subscriptions of a workspace that are on."""
        found = self._all("/hooks/subscriptions/", {"workspace_id": workspace})
        return [_subscription(each) for each in found]

    def subscribe(self, workspace: str, event_type: str, address: str) -> Subscription:
        """Have events of a type sent to an address; it has to be confirmed."""
        body = {"workspace_id": workspace, "event_type": event_type, "target_url": address}
        reply = self.client.send("POST", f"{_API}/hooks/subscriptions/", body, repeatable=False)
        listed = reply.body.get("results") if isinstance(reply.body, dict) else None
        made = _subscription(listed[-1] if listed else reply.body)
        secret = reply.headers.get("X-Hook-Secret", "")
        return Subscription(made.id, made.event_type, made.address, secret)

    def confirm(self, subscription: Subscription) -> None:
        """Say that a subscription is wanted."""
        path = f"{_API}/hooks/subscriptions/{_part(subscription.id)}/"
        self.client.send("POST", path, {"secret": subscription.secret}, repeatable=True)

    def unsubscribe(self, subscription: str) -> None:
        """End a subscription."""
        path = f"{_API}/hooks/subscriptions/{_part(subscription)}/"
        self.client.send("DELETE", path, repeatable=True)

    def _all(self, path: str, query: Mapping[str, str] | None = None) -> Iterator[Any]:
        """The results of a list, page by page where the market links to a next one."""
        path = _API + path
        for _ in range(_MOST_PAGES):
            body = self.client.get(path, query)
            if not isinstance(body, dict) or not isinstance(body.get("results"), list):
                raise _odd("a list")
            yield from body["results"]
            following = ((body.get("_links") or {}).get("next") or {}).get("href")
            if not following:
                return
            query = dict(parse_qsl(urlsplit(following).query))
        raise MarketError(f"The list of Prolific has more than {_MOST_PAGES} pages.")


def _study(body: object) -> Study:
    places = body.get("total_available_places") if isinstance(body, dict) else None
    return Study(
        _text(body, "id"),
        _text(body, "status", ""),
        _text(body, "internal_name", ""),
        None if places is None else round(places),
    )


def _submission(body: object) -> MarketSubmission:
    """A submission; lists and single ones name the participant and the code differently."""
    return MarketSubmission(
        _text(body, "id"),
        _text(body, "participant_id", "") or _text(body, "participant", ""),
        _text(body, "status"),
        _text(body, "study_code", "") or _text(body, "entered_code", ""),
        _text(body, "started_at", ""),
    )


def _filter(body: object) -> Choice:
    choices = (body.get("choices") or {}) if isinstance(body, dict) else {}
    titles = {title: name for name, title in choices.items() if isinstance(title, str)}
    return Choice(_text(body, "filter_id", ""), titles)


def _subscription(body: object) -> Subscription:
    return Subscription(_text(body, "id"), _text(body, "event_type"), _text(body, "target_url"))


def _text(body: object, name: str, default: str | None = None) -> str:
    value = body.get(name) if isinstance(body, dict) else None
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise _odd(name)
    return value


def _number(body: object, name: str, default: int | None = None) -> int:
    value = body.get(name) if isinstance(body, dict) else None
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _odd(name)
    return round(value)


def _odd(what: str) -> UnsureError:
    return UnsureError(f"The answer of Prolific has no {what}, which it should have.")


def _part(name: str) -> str:
    """An id as a part of an address; a study's id never names another address."""
    return quote(name, safe="")

"""The catalogue of what is stored about people: every model, field by field.

The export of a person's data and erasure both read it, and a test holds it to the models: a new
model or field has to be named here, as part of the export or with the reason why it is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

_HASH = "a fingerprint by which a secret is recognised; it tells nothing about the person"
_OTHERS = "about somebody else"
_STUDY = "the material of the study, with the answers to its checks"
_INTERNAL = "bookkeeping of the platform, which tells nothing about the person"
_DOUBLE = "is in the export elsewhere"


@dataclass(frozen=True, slots=True)
class Personal:
    """Rows that belong to people: `person` is how a query gets from a row to its user.

    `shown` are the fields, and what they lead to, that the person gets. Those in `later` give away
    what the checks of a campaign said, so the person gets them once it is closed; `campaign` is
    how a query gets there. `withheld` are the other fields, with the reason; `rest` is the reason
    for all that are not named.
    """

    model: str
    person: str
    file: str
    shown: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    campaign: str = ""
    withheld: Mapping[str, str] = field(default_factory=dict)
    rest: str = ""
    erasure: Literal["deleted", "kept"] = "kept"


PERSONAL: tuple[Personal, ...] = (
    Personal(
        "accounts.User", "pk", "account",
        shown=(
            "username", "first_name", "last_name", "email", "role", "is_active", "from_market",
            "machine", "date_joined", "last_login", "admin_until", "second_factor_due",
        ),
        withheld={
            "password": _HASH,
            "key": "the name in small letters, by which it is looked up",
            "is_staff": "not used",
            "is_superuser": "not used",
            "groups": "not used",
            "user_permissions": "not used",
            "erased": _INTERNAL,
        },
    ),
    Personal(
        "accounts.Link", "user", "links",
        shown=("kind", "role", "campaign__name", "created_at", "ends_at", "uses_left"),
        withheld={"hash": _HASH, "created_by": _OTHERS},
        erasure="deleted",
    ),
    Personal(
        "accounts.Link", "created_by", "links-made",
        shown=("kind", "role", "campaign__name", "created_at", "ends_at", "uses_left"),
        withheld={"hash": _HASH, "user": _OTHERS},
        erasure="deleted",
    ),
    Personal(
        "accounts.Token", "user", "tokens",
        shown=("name", "scope", "created_at", "used_at", "ends_at"),
        withheld={"hash": _HASH},
        erasure="deleted",
    ),
    Personal(
        "accounts.SecondFactor", "user", "second-factor",
        shown=("confirmed_at",),
        withheld={"secret": "a secret", "last_step": _INTERNAL},
        erasure="deleted",
    ),
    Personal(
        "accounts.RecoveryCode", "user", "recovery-codes",
        withheld={"hash": _HASH},
        erasure="deleted",
    ),
    Personal(
        "accounts.Identity", "user", "identities",
        shown=("issuer", "subject", "created_at", "used_at"),
        erasure="deleted",
    ),
    Personal(
        "accounts.MailAddress", "user", "e-mail-address",
        shown=("address", "verified_at", "reminders", "digest", "digested_at"),
        erasure="deleted",
    ),
    Personal(
        "outbox.Delivery", "person", "e-mails",
        shown=("title", "state", "created_at", "ended_at"),
        withheld={
            "kind": _INTERNAL,
            "about": _INTERNAL,
            "content": "encrypted, and forgotten once it is sent",
            "due_at": _INTERNAL,
            "tries": _INTERNAL,
            "error": _INTERNAL,
        },
        erasure="deleted",
    ),
    Personal(
        "notices.Reminder", "user", "reminders",
        shown=("campaign__name", "sent_at"),
        erasure="deleted",
    ),
    Personal(
        "notices.Webhook", "created_by", "webhooks-made",
        shown=("campaign__name", "created_at"),
        rest="settings of the campaign",
    ),
    Personal(
        "accounts.Device", "user", "sessions",
        shown=("agent", "created_at"),
        withheld={"session": "the key of a session, which would let somebody in"},
        erasure="deleted",
    ),
    Personal(
        "campaigns.Campaign", "owner", "campaigns-owned",
        shown=("name", "created_at"),
        rest="settings of the campaign",
    ),
    Personal(
        "campaigns.Membership", "user", "campaigns",
        shown=("campaign__name", "role", "has_managed", "most_tasks"),
    ),
    Personal(
        "campaigns.Consent", "membership__user", "consents",
        shown=("membership__campaign__name", "at", "text__hash", "text__text"),
    ),
    Personal(
        "campaigns.Event", "user", "events",
        shown=("campaign__name", "at", "verb"),
        withheld={"about": "may name other people; what happened is in the verb"},
    ),
    Personal(
        "qualification.ComprehensionAttempt", "user", "comprehension",
        shown=("campaign__name", "number", "wrong", "passed", "forgiven", "finished_at"),
        later=("answers",),
        campaign="campaign",
    ),
    Personal(
        "qualification.PracticeAttempt", "user", "practice",
        shown=(
            "campaign__name", "number", "pass_mark", "correct", "total", "passed", "forgiven",
            "created_at", "finished_at",
        ),
    ),
    Personal(
        "qualification.PracticeAnswer", "attempt__user", "practice-answers",
        shown=(
            "attempt__campaign__name", "attempt__number", "position", "draft", "answer", "marks",
            "saved_at", "answered_at",
        ),
        withheld={
            "item": _STUDY,
            "content": _STUDY,
            "right": _STUDY,
            "tolerance": _STUDY,
            "reason": _STUDY,
            "version": _INTERNAL,
            "key": _INTERNAL,
        },
    ),
    Personal(
        "qualification.Qualification", "user", "qualifications",
        shown=("campaign__name", "name", "score", "granted_at", "withdrawn_at"),
        withheld={"granted_by": _OTHERS},
    ),
    Personal(
        "qualification.Qualification", "granted_by", "qualifications-granted",
        shown=("campaign__name", "name", "granted_at", "withdrawn_at"),
        withheld={"user": _OTHERS, "score": _OTHERS},
    ),
    Personal(
        "annotate.Task", "annotator", "tasks",
        shown=("campaign__name", "slot", "claimed_at", "opened_at", "lease_ends_at", "done_at"),
        later=("state", "flagged"),
        campaign="campaign",
        withheld={
            "batch": _STUDY,
            "content": _STUDY,
            "allocated": _INTERNAL,
            "group": _STUDY,
            "machine": "the same as of the account",
        },
    ),
    Personal(
        "annotate.Draft", "task__annotator", "drafts",
        shown=("task__campaign__name", "task__slot", "answer", "saved_at"),
        withheld={"version": _INTERNAL},
        erasure="deleted",
    ),
    Personal(
        "annotate.Submission", "annotator", "submissions",
        shown=(
            "task__campaign__name", "task__slot", "number", "current", "answer", "seconds",
            "received_at",
        ),
        later=("verdict", "flags"),
        campaign="task__campaign",
        withheld={"key": _INTERNAL},
    ),
    Personal(
        "annotate.Decision", "submission__annotator", "decisions-on-your-work",
        later=(
            "submission__task__campaign__name", "submission__task__slot", "verdict", "reason",
            "created_at", "undone",
        ),
        campaign="submission__task__campaign",
        withheld={"group": _INTERNAL, "manager": _OTHERS},
    ),
    Personal(
        "annotate.Decision", "manager", "decisions-made",
        shown=("submission__task__slot", "verdict", "reason", "created_at", "undone"),
        withheld={"group": _DOUBLE},
    ),
    Personal(
        "annotate.DecisionGroup", "manager", "decision-groups",
        shown=("campaign__name", "verdict", "count", "created_at", "undone_at"),
        withheld={"undone_by": _OTHERS},
    ),
    Personal(
        "annotate.DecisionGroup", "undone_by", "decision-groups-undone",
        shown=("campaign__name", "verdict", "count", "undone_at"),
        withheld={"manager": _OTHERS, "created_at": _OTHERS},
    ),
    Personal(
        "annotate.Comment", "annotator", "comments",
        shown=("task__campaign__name", "task__slot", "kind", "reason", "text", "created_at"),
        withheld={"item": "its number in the task", "key": _INTERNAL},
        erasure="deleted",
    ),
    Personal(
        "annotate.Adjudication", "by", "adjudications",
        shown=("answer", "note", "delegated", "withdrawn", "created_at"),
        withheld={"item": _STUDY, "systems": _STUDY, "source": _OTHERS},
    ),
    Personal(
        "crowd.MarketAccount", "owner", "market-accounts",
        shown=("market", "workspace", "workspace_title", "currency", "created_at"),
        rest="how the market is reached",
        erasure="deleted",
    ),
    Personal(
        "crowd.BonusPayment", "created_by", "bonus-payments-made",
        shown=("recruitment__market", "state", "amount", "total", "created_at", "sent_at"),
        withheld={"bulk": _INTERNAL},
    ),
    Personal(
        "crowd.Bonus", "visit__participant__user", "bonuses",
        shown=("visit__recruitment__market", "amount", "payment__sent_at"),
    ),
    Personal(
        "crowd.Recruitment", "created_by", "recruitments-made",
        shown=("campaign__name", "market", "study", "state", "created_at"),
        withheld={
            "key": _INTERNAL,
            "settings": _STUDY,
            "codes": "secrets of the study",
            "account": _DOUBLE,
            "market_status": _INTERNAL,
            "attempted_at": _INTERNAL,
            "synced_at": _INTERNAL,
            "report": _OTHERS,
        },
    ),
    Personal(
        "crowd.Participant", "user", "participant", shown=("market", "pid", "created_at")
    ),
    Personal(
        "crowd.Visit", "participant__user", "visits",
        shown=(
            "recruitment__market", "recruitment__study", "session", "status", "outcome",
            "arrived_at", "verified_at", "ended_at", "code_shown_at", "synced_at", "status_at",
            "entered_code", "review", "reviewed_at",
        ),
        withheld={"browser": _HASH},
    ),
)  # fmt: skip

BY_NAME: Mapping[str, str] = {
    "accounts.AuditEntry": "entries by or about the person are in audit.json",
    "accounts.Attempt": "failed log-ins under the name are in log-in-attempts.json",
}
"""Models whose rows know people by name only, and where the export has them."""

IMPERSONAL: Mapping[str, str] = {
    "accounts.Redaction": "empty except during an erasure",
    "campaigns.ConsentText": "what people agree to; who did is a consent",
    "campaigns.Machine": "which model judges with an account that is no person's",
    "campaigns.Document": "the corpus",
    "campaigns.Summary": "the corpus",
    "campaigns.Highlight": "the corpus; an annotator's name in it is replaced by erasure",
    "campaigns.Unit": "the corpus; an annotator's name in it is replaced by erasure",
    "campaigns.Question": "checks of a campaign",
    "campaigns.Planted": "checks of a campaign",
    "qualification.PracticeSettings": "settings of a campaign",
    "qualification.PracticeItem": "the practice of a campaign",
    "qualification.ComprehensionQuestion": "the practice of a campaign",
    "annotate.AdaptiveState": "how far the systems are told apart",
    "annotate.Batch": "which items make up a task",
    "annotate.BatchItem": "which items make up a task",
    "annotate.ItemSummary": "which items make up a task",
    "crowd.MarketSecrets": "what opens somebody's account on a market; deleted with the account",
    "crowd.MarketEvent": "the number of an event of a market, and when it came",
    "results.HelperScores": "scores of summaries by metrics; who stored them is an event",
    "results.Disagreements": "computed from submissions; erasure deletes it, to be computed anew",
    "results.Export": "exports of campaigns; erasure deletes all of them with their files",
    "results.Statistics": "computed from submissions; erasure deletes it, to be computed anew",
}
"""Models without rows that belong to somebody, and what they hold."""

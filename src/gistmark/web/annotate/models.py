"""Tasks as they are stored: batches, their slots that annotators hold, drafts, and submissions.

The database itself holds the rules: nobody has a batch twice, an open slot has never been
anybody's, and a submission that is sent twice is stored once. Whoever changes a task holds the
lock of its batch (`gistmark.web.annotate.services.leases`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from gistmark.judgements.tasks.items import Item
from gistmark.judgements.tasks.slots import SUBMITTED, Slot
from gistmark.judgements.tasks.slots import State as SlotState
from gistmark.judgements.verdicts import VERDICTS, Verdict
from gistmark.web.campaigns.models import Campaign, Document, Summary

_CHOICES = [(each, each) for each in VERDICTS]


def verdict_field() -> models.CharField[Verdict, Verdict]:
    """A column with one of the three verdicts (`gistmark.judgements.verdicts`)."""
    return models.CharField(max_length=10, choices=_CHOICES)


def is_verdict(of: str) -> models.CheckConstraint:
    """The database holds no other verdict than the three, or none where the column is nullable."""
    return models.CheckConstraint(
        condition=Q(verdict__in=VERDICTS), name=f"{of}_verdict_is_one_of_three"
    )


class Batch(models.Model):
    """The items of one task, and how many of its slots are open.

    The count of open slots is kept here, so that the next task of an annotator is found without
    looking at every slot. A batch that `adjudicates` has this item alone, and one slot, for an
    annotator whose answer settles what others disagree about; it counts nowhere else.

    As many slots as `judges` are wanted. A batch with a `dimension` asks that one alone. Of all
    batches with the same number `group` nobody gets two (`gistmark.judgements.tasks.batches`).

    In an adaptive campaign `arm` is the index of its systems in `AdaptiveState.arms`, and the batch
    was chosen with `probability`, `among` so many.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()
    open = models.PositiveIntegerField()
    judges = models.PositiveIntegerField()
    dimension = models.TextField(blank=True, default="")
    group = models.PositiveIntegerField(null=True)
    adjudicates = models.ForeignKey(
        "BatchItem", null=True, on_delete=models.CASCADE, related_name="adjudicated_in"
    )
    arm = models.PositiveIntegerField(null=True)
    probability = models.FloatField(null=True)
    among = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["number"]
        indexes = [
            models.Index(fields=["campaign", "open", "number"]),
            models.Index(fields=["campaign", "arm", "open"]),
        ]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="batch_numbers_differ")
        ]

    def read_items(self) -> tuple[Item, ...]:
        """The items as the rules of judgement know them."""
        items = self.items.select_related("document").prefetch_related("summaries__summary")
        return tuple(each.read() for each in items)


class AdaptiveState(models.Model):
    """What an adaptive campaign knows (`gistmark.judgements.adaptive`).

    `arms` are the sets of systems that its batches are about. `evidence` and `merits` are kept up
    to date with the work that counts; whoever changes them holds the lock of this row, and takes it
    after that of a batch.
    """

    campaign = models.OneToOneField(
        Campaign, on_delete=models.CASCADE, related_name="adaptive_state"
    )
    arms = models.JSONField()
    evidence = models.JSONField()
    merits = models.JSONField()
    stopped_at = models.DateTimeField(null=True)


class BatchItem(models.Model):
    """One thing to judge of a batch: a document, and the summaries that are rated or compared."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    document = models.ForeignKey(Document, on_delete=models.RESTRICT, related_name="batch_items")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "position"], name="one_item_per_position")
        ]

    def read(self) -> Item:
        """The item as the rules of judgement know it."""
        return Item(self.document.name, tuple(each.summary.system for each in self.summaries.all()))


class ItemSummary(models.Model):
    """A summary of an item, in the order in which the item names them."""

    item = models.ForeignKey(BatchItem, on_delete=models.CASCADE, related_name="summaries")
    position = models.PositiveIntegerField()
    summary = models.ForeignKey(Summary, on_delete=models.RESTRICT, related_name="batch_items")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["item", "position"], name="one_summary_per_position"),
            models.UniqueConstraint(fields=["item", "summary"], name="no_summary_twice_in_an_item"),
        ]


class Task(models.Model):
    """A slot of a batch (`gistmark.judgements.tasks.slots`) and the work of its annotator.

    `content` is the task as the server knows it, planted items and answers included: it never
    leaves the server. It is assembled when the task is first opened, and the time is measured from
    `opened_at`. A claimed task is leased; an allocated one stays until it is released.

    The task of a `machine` is a slot beside those of people, which it never takes: it has no lease,
    is always its annotator's, and counts with none of the campaign's own
    (`gistmark.web.annotate.services.machines`).
    """

    class State(models.TextChoices):
        """The states of a slot; work that was submitted is done, paid, rejected or late.

        A lapsed task was released, or its lease ended and another annotator got its slot. It
        stays with its annotator, and so does the draft, but it counts no longer.
        """

        OPEN = "open"
        HELD = "held"
        DONE = "done"
        PAID = "paid"
        REJECTED = "rejected"
        LATE = "late"
        LAPSED = "lapsed"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="tasks")
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="tasks")
    slot = models.CharField(max_length=40)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="tasks"
    )
    allocated = models.BooleanField(default=False)
    content = models.JSONField(null=True)
    claimed_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(null=True)
    lease_ends_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)
    flagged = models.BooleanField(default=False)
    machine = models.BooleanField(default=False, editable=False)
    group = models.PositiveIntegerField(null=True, editable=False)
    """That of the batch, kept here for the constraint below; a machine's task has none."""

    class Meta:
        indexes = [
            models.Index(fields=["campaign", "state", "lease_ends_at"]),
            models.Index(fields=["annotator", "campaign", "state"]),
        ]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "slot"], name="slot_ids_differ"),
            models.UniqueConstraint(
                fields=["batch", "annotator"],
                condition=Q(annotator__isnull=False),
                name="nobody_has_a_batch_twice",
            ),
            models.UniqueConstraint(
                fields=["campaign", "annotator", "group"],
                condition=Q(annotator__isnull=False, group__isnull=False),
                name="nobody_has_a_group_twice",
            ),
            models.CheckConstraint(
                condition=Q(state="open", annotator__isnull=True, opened_at__isnull=True)
                | (~Q(state="open") & Q(annotator__isnull=False)),
                name="open_slots_were_never_anybodys",
            ),
            models.CheckConstraint(
                condition=Q(machine=False)
                | Q(annotator__isnull=False, allocated=False, lease_ends_at__isnull=True),
                name="tasks_of_machines_are_not_leased",
            ),
        ]

    def as_slot(self) -> Slot:
        """The task as the rules know it; its annotator goes by their number there."""
        return Slot(
            self.slot,
            self.batch.number,
            (),
            cast(SlotState, self.state),
            None if self.annotator_id is None else str(self.annotator_id),
            opened=self.opened_at is not None,
            group=self.group,
        )

    @property
    def submitted(self) -> bool:
        return self.state in SUBMITTED

    @property
    def released(self) -> bool:
        """Whether the task was released on purpose, and not because its lease had ended."""
        return self.state == self.State.LAPSED and self.lease_ends_at is None


class Draft(models.Model):
    """What an annotator has filled in so far; `version` rises with every save."""

    task = models.OneToOneField(Task, on_delete=models.CASCADE, related_name="draft")
    answer = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(auto_now=True)


class Submission(models.Model):
    """What an annotator submitted, with what the checks said; edits are further submissions.

    `key` is chosen by the sender: the same one twice is the same submission. The last one of a
    task is `current`; it counts if the task is done. `verdict` is what the checks came to, null
    where the work came late, so that only a manager can give it one.
    """

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="submissions")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="submissions"
    )
    key = models.UUIDField()
    number = models.PositiveIntegerField()
    current = models.BooleanField(default=True)
    answer = models.JSONField()
    flags = models.JSONField(default=list)
    verdict: models.CharField[Verdict | None, Verdict | None] = models.CharField(
        max_length=10, choices=_CHOICES, null=True
    )
    seconds = models.FloatField(null=True)
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["task", "number"]
        constraints = [
            models.UniqueConstraint(fields=["task", "key"], name="sent_twice_is_stored_once"),
            models.UniqueConstraint(fields=["task", "number"], name="submissions_are_numbered"),
            models.UniqueConstraint(
                fields=["task"], condition=Q(current=True), name="one_submission_is_current"
            ),
            is_verdict("submission"),
        ]

    @property
    def decision(self) -> Decision | None:
        """The last decision on it that was not undone; None where the checks' verdict holds."""
        in_force = [each for each in self.decisions.all() if not each.undone]
        return in_force[-1] if in_force else None


class DecisionGroup(models.Model):
    """Decisions that a manager made at once, with one reason; they are undone as one."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="decision_groups")
    manager = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decision_groups"
    )
    verdict = verdict_field()
    count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        indexes = [models.Index(fields=["campaign", "manager"])]
        constraints = [is_verdict("group")]

    @property
    def description(self) -> str:
        """All of them in words, such as "3 rejections"."""
        return self.describe(self.count)

    def describe(self, count: int) -> str:
        """So many of them in words."""
        plural = "" if count == 1 else "s"
        words: Mapping[Verdict, str] = {
            "counts": f"acceptance{plural}",
            "paid": f"decision{plural} to pay but not count",
            "rejected": f"rejection{plural}",
        }
        return f"{count} {words[self.verdict]}"


class Decision(models.Model):
    """A manager's decision on submitted work, which overrules the checks until it is undone."""

    group = models.ForeignKey(DecisionGroup, on_delete=models.CASCADE, related_name="decisions")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="decisions")
    manager = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decisions"
    )
    verdict = verdict_field()
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    undone = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        constraints = [is_verdict("decision")]


class Comment(models.Model):
    """What an annotator says about a task, or about one item of it, beside the answer.

    `item` is the key of an entry, empty where it is about the whole task. `key` is chosen by the
    sender: the same one twice is the same comment. `reason` is why a task was given back.
    """

    class Kind(models.TextChoices):
        """A remark, something that does not work, or why the task was given back."""

        COMMENT = "comment"
        PROBLEM = "problem", "report of a problem"
        RELEASE = "release", "given back"

    class Reason(models.TextChoices):
        """Why somebody gives a task back."""

        TIME = "time", gettext_lazy("It takes too long, or I have no time now")
        LANGUAGE = "language", gettext_lazy("I do not know the language or the subject well enough")
        UNCLEAR = "unclear", gettext_lazy("It is not clear what I should do")
        BROKEN = "broken", gettext_lazy("Something on the page does not work")
        UPSETTING = "upsetting", gettext_lazy("The text is upsetting")
        OTHER = "other", gettext_lazy("Another reason")

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="comments")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="comments"
    )
    item = models.CharField(max_length=20, blank=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    reason = models.CharField(max_length=10, choices=Reason.choices, blank=True)
    text = models.TextField(blank=True)
    key = models.UUIDField(default=uuid4)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["task", "key"], name="comment_sent_twice_is_one")
        ]

    @property
    def about(self) -> str:
        """What it is about, as managers know it; empty for the whole task."""
        entries = (self.task.content or {"entries": []})["entries"]
        entry = next((each for each in entries if each["key"] == self.item), None)
        if entry is None:
            return ""
        if entry["planted"]:
            return f"planted: {entry['planted']}"
        return " · ".join([entry["document"], *entry["systems"]])


class Adjudication(models.Model):
    """A decision about an item that its annotators disagree about; it changes no submission.

    `answer` has the parts of an answer to the item, with `systems` in the order that its sides
    refer to; dimensions that were not decided are left out. `source` is the submission that the
    answer was taken from. If its annotator was given the item for this, the decision is `delegated`
    and holds only while the submission counts. Of several decisions about an item the last one
    holds; the others are kept.
    """

    item = models.ForeignKey(BatchItem, on_delete=models.CASCADE, related_name="adjudications")
    systems = models.JSONField(default=list)
    answer = models.JSONField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="adjudications"
    )
    source = models.ForeignKey(
        Submission, null=True, on_delete=models.CASCADE, related_name="adjudications"
    )
    delegated = models.BooleanField(default=False)
    note = models.TextField(blank=True)
    withdrawn = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

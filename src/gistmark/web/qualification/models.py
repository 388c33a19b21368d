"""Practice as it is stored: its settings, items and questions, attempts at them, qualifications.

An attempt keeps the items as they were when it began, right answers included, so that a manager
who changes the practice changes no attempt and no score. None of it is work of the campaign: there
are no slots, and no export of judgements reads from here.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from gistmark import judgements
from gistmark.judgements.tasks import practice
from gistmark.judgements.tasks.practice import PracticeScore
from gistmark.web.campaigns.models import Campaign, Document, Summary


class PracticeSettings(models.Model):
    """What a campaign demands; one that has none demands nothing."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="practice")
    pass_mark = models.PositiveSmallIntegerField(default=practice.PASS_MARK)
    tries = models.PositiveSmallIntegerField(default=practice.TRIES)
    required = models.BooleanField(default=True)
    qualification = models.CharField(max_length=practice.LONGEST_NAME, blank=True, default="")
    leaves_out = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(pass_mark__gte=1, pass_mark__lte=100), name="pass_mark_is_a_percentage"
            ),
            models.CheckConstraint(condition=Q(tries__gte=1), name="there_is_a_try"),
        ]


class PracticeItem(models.Model):
    """An item to practise on; one whose `right` answer is not given yet is not used.

    A set has more than two summaries: those of `further_systems` come after the other two.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="practice_items")
    position = models.PositiveIntegerField()
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="practice_items")
    summary = models.ForeignKey(
        Summary, null=True, on_delete=models.CASCADE, related_name="practice_items"
    )
    other_summary = models.ForeignKey(
        Summary, null=True, on_delete=models.CASCADE, related_name="practice_items_as_other"
    )
    further_systems = models.JSONField(default=list)
    right = models.JSONField(null=True)
    tolerance = models.FloatField(default=0.0)
    reason = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["position", "id"]

    def read(self) -> practice.PracticeItem:
        """The item as the rules know it."""
        summaries = (each for each in (self.summary, self.other_summary) if each is not None)
        systems = (*(each.system for each in summaries), *self.further_systems)
        return practice.PracticeItem(
            self.document.name, systems, self.right, self.tolerance, self.reason
        )


class ComprehensionQuestion(models.Model):
    """A question about the study, asked before anything else; `right` is an index of `options`."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="comprehension")
    position = models.PositiveIntegerField()
    question = models.TextField()
    options = models.JSONField()
    right = models.PositiveSmallIntegerField()
    explanation = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["position", "id"]

    def read(self) -> practice.ComprehensionQuestion:
        """The question as the rules know it."""
        return practice.ComprehensionQuestion(
            self.question, tuple(self.options), self.right, self.explanation
        )


class ComprehensionAttempt(models.Model):
    """One try at all questions; `answers` has a question, the chosen option and the right one each.

    A manager can forgive an attempt: it does not count against the tries any more.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="comprehension_attempts"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="comprehension_attempts"
    )
    number = models.PositiveIntegerField()
    answers = models.JSONField()
    wrong = models.PositiveIntegerField()
    passed = models.BooleanField()
    forgiven = models.BooleanField(default=False)
    finished_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user", "number"], name="comprehension_attempts_are_numbered"
            )
        ]


class PracticeAttempt(models.Model):
    """One try at the practice of a campaign; its score is there once every item is answered."""

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="practice_attempts"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="practice_attempts"
    )
    number = models.PositiveIntegerField()
    pass_mark = models.PositiveSmallIntegerField()
    correct = models.PositiveIntegerField(null=True)
    total = models.PositiveIntegerField(null=True)
    passed = models.BooleanField(null=True)
    forgiven = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user", "number"], name="practice_attempts_are_numbered"
            ),
            models.UniqueConstraint(
                fields=["campaign", "user"],
                condition=Q(finished_at__isnull=True),
                name="one_practice_at_a_time",
            ),
        ]

    @property
    def score(self) -> PracticeScore:
        """How many answers were right; nothing yet while it goes on."""
        return PracticeScore(self.correct or 0, self.total or 0)


class PracticeAnswer(models.Model):
    """An item of an attempt, as it was when the attempt began, and the answer to it.

    `content` is the item as a task, `right` and `reason` are what is shown after the answer: none
    of them leaves the server before. `draft` is what is filled in so far; `version` rises with
    every save. `marks` says which dimensions were right.
    """

    attempt = models.ForeignKey(PracticeAttempt, on_delete=models.CASCADE, related_name="answers")
    item = models.ForeignKey(
        PracticeItem, null=True, on_delete=models.SET_NULL, related_name="answers"
    )
    position = models.PositiveIntegerField()
    content = models.JSONField()
    right = models.JSONField()
    tolerance = models.FloatField()
    reason = models.TextField(blank=True)
    draft = models.JSONField(null=True)
    version = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(null=True)
    key = models.UUIDField(null=True)
    answer = models.JSONField(null=True)
    marks = models.JSONField(null=True)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["attempt", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["attempt", "position"], name="one_practice_item_per_position"
            )
        ]

    @property
    def task(self) -> judgements.Task:
        """The item as a task of one entry."""
        return judgements.task_from(self.content)


class Qualification(models.Model):
    """That somebody passed the practice of a campaign, or that a manager said so.

    Its name lets it count in other campaigns, too; see
    `gistmark.web.qualification.services.admission`.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="qualifications")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="qualifications"
    )
    name = models.CharField(max_length=practice.LONGEST_NAME, blank=True)
    score = models.FloatField(null=True)
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    granted_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user"],
                condition=Q(withdrawn_at__isnull=True),
                name="qualified_once",
            )
        ]

"""Campaigns, the corpora they run on, and what they ask to check their annotators."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q

from gistmark import records


def draw_key() -> str:
    """The public name of a campaign in addresses."""
    return secrets.token_hex(5)


def draw_code_key() -> str:
    """What the completion codes of a campaign are derived from; it never leaves the database."""
    return secrets.token_hex(16)


def draw_seed() -> int:
    """The seed of the order of tasks and of the sides of pairs; kept, so both can be recomputed."""
    return secrets.randbelow(2**31)


class Campaign(models.Model):
    """A protocol run on a corpus."""

    class State(models.TextChoices):
        """Drafts can be changed; only running campaigns and pilots give out and take in work."""

        DRAFT = "draft"
        PILOT = "pilot"
        RUNNING = "running"
        PAUSED = "paused"
        CLOSED = "closed"

    key = models.CharField(max_length=10, unique=True, default=draw_key, editable=False)
    name = models.CharField(max_length=200, unique=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    protocol = models.JSONField()
    seed = models.PositiveBigIntegerField(default=draw_seed)
    lease_minutes = models.PositiveIntegerField(default=120)
    pilot_annotators = models.PositiveIntegerField(null=True, blank=True)
    registration_open = models.BooleanField(default=False)
    completion_codes = models.BooleanField(default=False)
    language = models.CharField(max_length=10, blank=True, default="")
    """The language of its annotators' pages; empty for what each annotator's browser asks for."""
    sampling = models.JSONField(null=True, blank=True)
    """How its documents were sampled (`method`, `seed`); null where all of them are judged."""
    adaptive = models.JSONField(null=True, blank=True)
    """How it chooses its tasks and when it stops; null where it is not adaptive."""
    retention_days = models.PositiveIntegerField(null=True, blank=True)
    """So many days after its end its annotators are erased; None keeps them for good."""
    code_key = models.CharField(max_length=32, default=draw_code_key, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="campaigns_owned"
    )
    previous = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="versions"
    )
    """The campaign that this one is a new version of."""
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    @property
    def judges(self) -> int:
        """How many annotators judge each item: in a pilot all who take part in it."""
        return self.pilot_annotators or int(self.protocol["judges"])

    @property
    def recruits_on_market(self) -> bool:
        """Whether its annotators come from a crowd market, whose rules on pay then hold."""
        return self.completion_codes or self.recruitments.exists()

    @property
    def in_pilot(self) -> bool:
        """Whether its work is that of a pilot, and not yet the campaign's."""
        return self.state == self.State.PILOT

    @property
    def gives_work(self) -> bool:
        """Whether annotators can claim and submit tasks."""
        return self.state in (self.State.PILOT, self.State.RUNNING)

    @property
    def label(self) -> str:
        """Its name in exports, which say where work is that of a pilot."""
        return f"{self.name} (pilot)" if self.in_pilot else self.name


class Membership(models.Model):
    """Who takes part in a campaign, and as what.

    `has_managed` stays true for whoever has been a manager: they know the answers to the checks.
    Whoever has submitted `most_tasks` tasks gets no more; None is as many as there are.
    """

    class Role(models.TextChoices):
        """What a person may do in this campaign."""

        MANAGER = "manager"
        ANNOTATOR = "annotator"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.ANNOTATOR)
    has_managed = models.BooleanField(default=False)
    most_tasks = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="one_membership_each")
        ]


class Machine(models.Model):
    """A model that judges in a campaign, beside people: which one, and where it is reached.

    `model` is its name at the server of `url`, empty for a model that runs on the machine of the
    command. `signature` says how it was asked, with the model's parameters and the hash of the
    prompts; it is empty until the first run. The key of the server is stored nowhere.
    """

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="machine")
    model = models.CharField(max_length=200)
    url = models.CharField(max_length=500, blank=True)
    signature = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]


class ConsentText(models.Model):
    """A version of what people agree to, stored once however many campaigns say it.

    `hash` is the SHA-256 of the text; a campaign without such a text has the empty one.
    """

    hash = models.CharField(max_length=64, unique=True)
    text = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]


class Consent(models.Model):
    """That somebody agreed to take part, when, and to which text."""

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="consents")
    text = models.ForeignKey(ConsentText, on_delete=models.PROTECT, related_name="consents")
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["membership", "text"], name="one_consent_per_text")
        ]


class Document(models.Model):
    """A document of a campaign's corpus; `position` is its index in the file.

    A corpus may have summaries of documents that it does not hold; those have no `texts`, and
    come after the others. One that is `for_practice` is left out of the tasks
    (`gistmark.web.qualification`).
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="documents")
    name = models.CharField(max_length=500)
    position = models.PositiveIntegerField()
    texts = models.JSONField(null=True)
    title = models.TextField(null=True, blank=True)
    lang = models.CharField(max_length=35, null=True, blank=True)
    for_practice = models.BooleanField(default=False)
    left_out = models.BooleanField(default=False)
    """Whether it was not sampled, so that no task has it."""
    probability = models.FloatField(null=True)
    """The probability with which it was sampled; null where that was not at random."""

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="document_names_differ"),
            models.UniqueConstraint(fields=["campaign", "position"], name="one_document_each"),
            models.CheckConstraint(
                condition=Q(probability__isnull=True) | Q(probability__gt=0, probability__lte=1),
                name="probabilities_are_above_0",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Summary(models.Model):
    """A summary of a document, by a system; `position` is its index in the corpus.

    References are marked, and so are systems that only have a number.
    """

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="summaries")
    position = models.PositiveIntegerField()
    system = models.CharField(max_length=500)
    text = models.TextField()
    title = models.TextField(null=True, blank=True)
    reference = models.BooleanField(default=False)
    anonymous = models.BooleanField(default=False)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "system"], name="one_summary_per_system")
        ]


class Highlight(models.Model):
    """A highlight that the corpus brought along, for heat maps."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="highlights")
    annotator = models.CharField(max_length=500)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    budget = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["id"]


class Unit(models.Model):
    """A content unit of a document: of the corpus, or merged from what annotators wrote.

    `name` is its id in files, `reference` the system of the reference that it comes from. `sources`
    are the ids of the annotators' units that it was merged from
    (`gistmark.web.results.merging`).
    """

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="units")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=500)
    text = models.TextField()
    weight = models.FloatField(default=1.0)
    reference = models.CharField(max_length=500, null=True, blank=True)
    annotator = models.CharField(max_length=500, null=True, blank=True)
    sources = models.JSONField(default=list)

    class Meta:
        ordering = ["document", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "name"], name="unit_names_differ"),
            models.CheckConstraint(condition=Q(weight__gt=0), name="units_weigh_something"),
        ]

    def read(self) -> records.ContentUnit:
        """The unit as the rules know it."""
        return records.ContentUnit(
            self.document.name, self.name, self.text, self.weight, self.reference, self.annotator
        )


class Question(models.Model):
    """A True/False statement; a generated one counts only once a manager has approved it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="questions")
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="questions")
    statement = models.TextField()
    answer = models.BooleanField()
    about = models.CharField(max_length=10, default="document")
    generated = models.BooleanField(default=False)
    approved = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(about__in=["document", "reference"]), name="about_is_known"
            )
        ]


class Planted(models.Model):
    """Three planted summaries; generated ones count only once a manager has approved them."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="planted")
    document = models.ForeignKey(
        Document, null=True, blank=True, on_delete=models.CASCADE, related_name="planted"
    )
    good = models.TextField()
    mediocre = models.TextField()
    bad = models.TextField()
    generated = models.BooleanField(default=False)
    approved = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]


class Event(models.Model):
    """The audit trail: who did what in a campaign."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="events")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="events"
    )
    verb = models.CharField(max_length=40)
    about = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

"""What was computed about a campaign, kept until the work that counts changes.

And the scores by which metrics help people, which a manager brought along.
"""

from __future__ import annotations

from django.db import models

from gistmark.web.campaigns.models import Campaign


class Disagreements(models.Model):
    """How far the annotators of each item disagree; kept like statistics."""

    campaign = models.OneToOneField(
        Campaign, on_delete=models.CASCADE, related_name="disagreements"
    )
    fingerprint = models.CharField(max_length=64)
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now=True)


class Export(models.Model):
    """An export of a campaign that is being written beside the requests, or that is ready.

    There is one for each format with its choices, which are the names of those that were chosen,
    in their order and separated by commas. `fingerprint` tells what work is in its file,
    which stands in the folder of exports under a name that says nothing.
    """

    class State(models.TextChoices):
        """It waits for its turn, is being written, can be fetched, or could not be written."""

        WAITING = "waiting"
        RUNNING = "running"
        READY = "ready"
        FAILED = "failed"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="exports")
    format = models.CharField(max_length=40)
    choices = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    fingerprint = models.CharField(max_length=64, blank=True)
    file = models.CharField(max_length=60, blank=True)
    name = models.CharField(max_length=200, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    requested_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-requested_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "format", "choices"], name="one_export_for_each_choice"
            )
        ]


class HelperScores(models.Model):
    """Scores of a campaign's summaries that help with its mean ratings.

    `content` is the CSV file of the scores of the campaign's own summaries, compressed (zlib), and
    `digest` its SHA-256. `helper` names the metrics, `population` what intervals hold for.
    """

    LONGEST_NAME = 200
    LONGEST_HELPER = 500

    campaign = models.OneToOneField(
        Campaign, on_delete=models.CASCADE, related_name="helper_scores"
    )
    file_name = models.CharField(max_length=LONGEST_NAME)
    helper = models.CharField(max_length=LONGEST_HELPER)
    population = models.CharField(max_length=10)
    summaries = models.PositiveIntegerField()
    content = models.BinaryField()
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(population__in=("beyond", "corpus")),
                name="population_of_intervals_is_known",
            )
        ]


class Statistics(models.Model):
    """The statistics of a campaign; `fingerprint` tells what work they were computed from."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="statistics")
    fingerprint = models.CharField(max_length=64)
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now=True)

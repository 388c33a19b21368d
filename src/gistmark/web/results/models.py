"""What was computed about a campaign, kept until the work that counts is other work."""

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


class Statistics(models.Model):
    """The statistics of a campaign; `fingerprint` tells what work they were computed from."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="statistics")
    fingerprint = models.CharField(max_length=64)
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now=True)

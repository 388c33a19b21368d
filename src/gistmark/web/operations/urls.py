"""The address of this package."""

from __future__ import annotations

from django.urls import path

from gistmark.web.operations.metrics import metrics

urlpatterns = [path("metrics", metrics, name="metrics")]

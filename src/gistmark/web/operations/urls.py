"""The addresses of this package."""

from __future__ import annotations

from django.urls import path

from gistmark.web.operations.metrics import health, metrics

urlpatterns = [
    path("health/", health, name="health"),
    path("metrics", metrics, name="metrics"),
]

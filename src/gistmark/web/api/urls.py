"""The addresses of the API and of its description."""

from __future__ import annotations

from django.urls import path

from gistmark.web.api.docs import docs
from gistmark.web.api.service import api

urlpatterns = [
    path("api/docs", docs, name="api-docs"),
    path("api/", api.urls),
]

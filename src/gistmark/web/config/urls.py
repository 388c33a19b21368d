"""The addresses of the platform."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("gistmark.web.operations.urls")),
    path("", include("gistmark.web.accounts.urls")),
    path("", include("gistmark.web.campaigns.urls")),
    path("", include("gistmark.web.crowd.urls")),
    path("", include("gistmark.web.annotate.urls")),
    path("", include("gistmark.web.privacy.urls")),
    path("", include("gistmark.web.manage.urls")),
    path("", include("gistmark.web.api.urls")),
]

handler400 = "gistmark.web.config.errors.bad_request"
handler403 = "gistmark.web.config.errors.not_allowed"
handler404 = "gistmark.web.config.errors.not_found"
handler500 = "gistmark.web.config.errors.server_error"

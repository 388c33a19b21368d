"""The platform's settings without its own apps, so that an empty database is soon up to date."""

from __future__ import annotations

from gistmark.web.config.settings import *  # noqa: F403

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
]
AUTH_USER_MODEL = "auth.User"

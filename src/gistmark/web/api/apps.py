"""The app's name for Django."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Its label is the last part of its name."""

    name = "gistmark.web.api"

"""The app's name for Django."""

from django.apps import AppConfig


class CrowdConfig(AppConfig):
    """Its label is the last part of its name."""

    name = "gistmark.web.crowd"

"""The app's name for Django."""

from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    """Its label is the last part of its name."""

    name = "gistmark.web.annotate"
    default_auto_field = "django.db.models.BigAutoField"

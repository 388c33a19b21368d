"""The app's name for Django."""

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """Its label is the last part of its name."""

    name = "gistmark.web.campaigns"
    default_auto_field = "django.db.models.BigAutoField"

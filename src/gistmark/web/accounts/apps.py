"""The app's name for Django."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Its label is the last part of its name."""

    name = "gistmark.web.accounts"
    default_auto_field = "django.db.models.BigAutoField"

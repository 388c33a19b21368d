"""Django's settings. Everything that may differ between installations is an environment variable.

GISTMARK_DATA     the data folder (SQLite database, secret key)
DATABASE_URL      postgres://... instead of SQLite
GISTMARK_HOSTS    host names that are served, separated by commas; by default this machine only
GISTMARK_HTTPS    `yes` behind a proxy that speaks TLS: secure cookies, HSTS, redirect from http

Without GISTMARK_DATA nothing is written: the key and the database live and die with the process.
That is what type checkers and tests get; the commands and the WSGI entry point name a folder.
"""

from __future__ import annotations

import os
from pathlib import Path

from gistmark.web.config.storage import (
    VARIABLE,
    data_folder,
    database,
    fingerprint,
    passing_key,
    secret_key,
)

_NAMED = os.environ.get(VARIABLE)
_FOLDER = data_folder(_NAMED) if _NAMED else None
_HERE = Path(__file__).resolve().parent.parent
_HTTPS = os.environ.get("GISTMARK_HTTPS", "").lower() in ("yes", "true", "1")
_HOSTS = [host.strip() for host in os.environ.get("GISTMARK_HOSTS", "").split(",") if host.strip()]

SECRET_KEY = secret_key(_FOLDER) if _FOLDER else passing_key()
DEBUG = False
ALLOWED_HOSTS = _HOSTS or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = (
    [f"https://{'*' if host.startswith('.') else ''}{host}" for host in _HOSTS] if _HTTPS else []
)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.forms",
    "ninja",
    "gistmark.web.accounts",
    "gistmark.web.campaigns",
    "gistmark.web.qualification",
    "gistmark.web.annotate",
    "gistmark.web.results",
    "gistmark.web.manage",
    "gistmark.web.api",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "gistmark.web.config.pages.ContentSecurityPolicy",
    "gistmark.web.config.languages.LanguageOfVisitor",
    "gistmark.web.api.errors.ErrorsAsJson",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "gistmark.web.accounts.bodies.LargeBodies",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "gistmark.web.config.errors.ErrorsAsSentences",
    "gistmark.web.accounts.set_up.SetUpFirst",
]
ROOT_URLCONF = "gistmark.web.config.urls"
WSGI_APPLICATION = "gistmark.web.config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_HERE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["gistmark.web.config.tags"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"languages": "gistmark.web.config.languages"},
        },
    }
]
FORM_RENDERER = "gistmark.web.config.pages.Renderer"

DATABASES = {"default": database(os.environ.get("DATABASE_URL"), _FOLDER)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "log-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "log-in"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _HTTPS
SECURE_SSL_REDIRECT = _HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
SECURE_HSTS_SECONDS = 31_536_000 if _HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "gistmark.web.config.errors.csrf_failure"
BEHIND_PROXY = _HTTPS
"""Whether the visitor's address is what a proxy says it is."""

STATIC_URL = f"/static/{fingerprint(_HERE / 'static')}/"
STATICFILES_DIRS = [_HERE / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
WHITENOISE_MAX_AGE = 31_536_000

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("zh-hans", "简体中文"),
    ("ar", "العربية"),
]
"""The languages of the annotator's interface, each in its own words."""
MANAGERS_VIEWS = (
    "gistmark.web.manage.",
    "gistmark.web.accounts.views.people.",
    "gistmark.web.accounts.views.account.set_up",
    "gistmark.web.api.docs.",
)
"""How the names of views begin whose pages are for managers, and so in English."""
LOCALE_PATHS = [_HERE / "locale"]
FORMAT_MODULE_PATH = ["gistmark.web.config.formats"]
LANGUAGE_COOKIE_AGE = 31_536_000
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = _HTTPS
TIME_ZONE = "UTC"
USE_TZ = True

JOBS_IN_THREADS = True
"""Whether statistics are computed beside the requests, and not while somebody waits for a page."""
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024**2
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"redacted": {"()": "gistmark.web.config.logs.RedactedFormatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "redacted"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"django.request": {"level": "ERROR"}},
}

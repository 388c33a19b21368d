"""Django's settings. Everything that may differ between installations is an environment variable.

GISTMARK_DATA     the data folder (SQLite database, keys)
DATABASE_URL      postgres://... instead of SQLite
GISTMARK_HOSTS    host names that are served, separated by commas; by default this machine only
GISTMARK_ENCRYPTION_KEY  encrypts stored secrets, instead of the file in the data folder
GISTMARK_PROLIFIC_URL    where Prolific's API is; by default Prolific itself
GISTMARK_LOG      `json` for a log of JSON lines, with one for each request
GISTMARK_LOG_ADDRESSES  `yes` adds visitors' addresses to it
GISTMARK_METRICS_TOKEN  switches /metrics on, for whoever sends it
GISTMARK_HTTPS    `yes` behind a proxy that speaks TLS: secure cookies, HSTS, redirect from http

Without GISTMARK_DATA nothing is written: the key and the database live and die with the process.
That is what type checkers and tests get; the commands and the WSGI entry point name a folder.
"""

from __future__ import annotations

import os
from pathlib import Path

from gistmark.errors import UsageError
from gistmark.web.config.environment import (
    choice,
    mail_server_from_environment,
    number,
    provider_from_environment,
    token,
)
from gistmark.web.config.storage.folder import (
    VARIABLE,
    data_folder,
    database,
    encryption_keys,
    exports_folder,
    fingerprint,
    passing_key,
    secret_key,
)

_NAMED = os.environ.get(VARIABLE)
_FOLDER = data_folder(_NAMED) if _NAMED else None
_INTERFACE = Path(__file__).resolve().parents[1] / "interface"
_HTTPS = os.environ.get("GISTMARK_HTTPS", "").lower() in ("yes", "true", "1")
_HOSTS = [host.strip() for host in os.environ.get("GISTMARK_HOSTS", "").split(",") if host.strip()]

SECRET_KEY = secret_key(_FOLDER) if _FOLDER else passing_key()
ENCRYPTION_KEYS = encryption_keys(os.environ.get("GISTMARK_ENCRYPTION_KEY"), _FOLDER)
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
    "gistmark.web.outbox",
    "gistmark.web.accounts",
    "gistmark.web.campaigns",
    "gistmark.web.qualification",
    "gistmark.web.annotate",
    "gistmark.web.results",
    "gistmark.web.crowd",
    "gistmark.web.notices",
    "gistmark.web.manage",
    "gistmark.web.api",
]
MIDDLEWARE = [
    "gistmark.web.operations.metrics.Observed",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "gistmark.web.interface.pages.ContentSecurityPolicy",
    "gistmark.web.interface.languages.LanguageOfVisitor",
    "gistmark.web.api.errors.ErrorsAsJson",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "gistmark.web.accounts.permissions.LargeBodies",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "gistmark.web.config.errors.ErrorsAsSentences",
    "gistmark.web.accounts.sign_in.set_up.SetUpFirst",
    "gistmark.web.accounts.sign_in.second_factor.SecondFactorFirst",
]
ROOT_URLCONF = "gistmark.web.config.urls"
WSGI_APPLICATION = "gistmark.web.config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_INTERFACE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["gistmark.web.interface.pages"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"languages": "gistmark.web.interface.languages"},
        },
    }
]
FORM_RENDERER = "gistmark.web.interface.pages.Renderer"

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

MAIL = mail_server_from_environment()
ADDRESS = os.environ.get("GISTMARK_ADDRESS", "").strip().rstrip("/")
"""Where links in mails lead, such as https://rate.example.org; else where the request came to."""
REMINDER_DAYS = number("GISTMARK_REMINDER_DAYS", 3, least=1, most=365)
"""Nobody is reminded twice within so many days."""
PRIVATE_WEBHOOKS = choice("GISTMARK_PRIVATE_WEBHOOKS", "no", "yes") == "yes"
"""Whether webhooks may lead to this machine and to private networks."""
OUTBOX_SOURCES = ["gistmark.web.notices.webhooks.announce"]

OIDC = provider_from_environment()
PASSWORDS_FOR_ALL = choice("GISTMARK_PASSWORDS", "everybody", "admins") == "everybody"
"""Whether everybody may log in with a password; else the others go to the provider."""
if OIDC is None and not PASSWORDS_FOR_ALL:
    raise UsageError("GISTMARK_PASSWORDS=admins needs a provider, so set GISTMARK_OIDC_ISSUER.")
SECOND_FACTOR_REQUIRED = choice("GISTMARK_SECOND_FACTOR", "optional", "required") == "required"
SECOND_FACTOR_GRACE = number("GISTMARK_SECOND_FACTOR_GRACE", 7, least=0, most=365)
"""How many days managers and admins can put it off where it is required."""

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

STATIC_URL = f"/static/{fingerprint(_INTERFACE / 'static')}/"
STATICFILES_DIRS = [_INTERFACE / "static"]
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
    "gistmark.web.privacy.views.people.",
    "gistmark.web.accounts.views.second_factor.",
    "gistmark.web.accounts.views.account.set_up",
    "gistmark.web.api.docs.",
)
"""How the names of views begin whose pages are for managers, and so in English."""
LOCALE_PATHS = [_INTERFACE / "locale"]
FORMAT_MODULE_PATH = ["gistmark.web.interface.formats"]
LANGUAGE_COOKIE_AGE = 31_536_000
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = _HTTPS
TIME_ZONE = "UTC"
USE_TZ = True

JOBS_IN_THREADS = True
"""Whether statistics and exports are made beside the requests, and not while somebody waits."""
DATA_FOLDER = _FOLDER
EXPORTS_FOLDER = exports_folder(_FOLDER)
PROLIFIC_URL = os.environ.get("GISTMARK_PROLIFIC_URL") or "https://api.prolific.com"
"""Where the API of Prolific is; another address is for tests."""
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024**2
LOG_AS_JSON = choice("GISTMARK_LOG", "plain", "json") == "json"
LOG_ADDRESSES = choice("GISTMARK_LOG_ADDRESSES", "no", "yes") == "yes"
"""Whether JSON lines about requests have the visitor's address."""
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"()": "gistmark.web.config.server.logs.RedactedFormatter"},
        "json": {"()": "gistmark.web.config.server.logs.JsonFormatter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_AS_JSON else "plain",
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django.request": {"level": "ERROR"},
        "gistmark.requests": {"level": "INFO" if LOG_AS_JSON else "WARNING"},
    },
}
METRICS_TOKEN = token("GISTMARK_METRICS_TOKEN")
"""What Prometheus has to send to see /metrics; without one there is no such page."""

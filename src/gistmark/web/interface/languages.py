"""Languages: which one a page is in, and the catalogue that its scripts get.

What annotators see is translated; managers' pages are in English. A visitor's language is the one
that they chose (a cookie), else the one that their browser asks for. On the pages of a campaign
that has a language of its own, that one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext
from django.utils.translation.trans_real import DjangoTranslation
from django.views.i18n import JavaScriptCatalog

from gistmark.errors import UsageError

ENGLISH = "en"
PLURAL_FORMS: Mapping[int, tuple[str, ...]] = {
    1: ("other",),
    2: ("one", "other"),
    6: ("zero", "one", "two", "few", "many", "other"),
}
"""What browsers (the Unicode CLDR) call the plural forms of a catalogue that has so many."""

register = template.Library()


class LanguageOfVisitor:
    """Answers each request in the visitor's language, unless a view chooses another one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with translation.override(translation.get_language_from_request(request)):
            response = self._get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language() or ENGLISH)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], *_: object
    ) -> None:
        name = f"{view.__module__}.{getattr(view, '__qualname__', '')}"
        if name.startswith(settings.MANAGERS_VIEWS):
            use_language(request, ENGLISH)


def checked_language(language: str) -> str:
    """The code of a language of the annotator's interface; an empty one is nobody's choice."""
    known = dict(settings.LANGUAGES)
    if language and language not in known:
        raise UsageError(
            gettext("There is no interface in the language '%(code)s'; there are %(known)s.")
            % {"code": language, "known": ", ".join(known)}
        )
    return language


def language_name(language: str) -> str:
    """What a language of the interface is called, in its own words."""
    return dict(settings.LANGUAGES).get(language, "")


def use_language(request: HttpRequest, language: str) -> None:
    """Answer this request in a language; an empty one stands for the visitor's own."""
    translation.activate(language or translation.get_language_from_request(request))


@register.inclusion_tag("accounts/language.html", takes_context=True)
def language_chooser(context: template.Context) -> dict[str, Any]:
    """A form with which a visitor chooses a language; it comes back to the same page."""
    request: HttpRequest = context["request"]
    return {
        "languages": settings.LANGUAGES,
        "chosen": request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME),
        "next": request.path,
    }


def keep_choice(response: HttpResponse, language: str) -> None:
    """Keep a visitor's choice in a cookie; an empty one lets the browser choose again."""
    if not language:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
        return
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )


@register.simple_tag
def script_catalogue() -> dict[str, Any]:
    """The sentences of the scripts in the language of the page, for `annotate/translation.js`."""
    language = translation.get_language() or ENGLISH
    return {"language": language, "sentences": _sentences(language)}


@cache
def _sentences(language: str) -> dict[str, Any]:
    """Translations by English sentence; those that have plural forms by form."""
    if language == ENGLISH:
        return {}
    view = JavaScriptCatalog()
    view.translation = DjangoTranslation(
        language, domain="djangojs", localedirs=[str(path) for path in settings.LOCALE_PATHS]
    )
    return {
        sentence: translated if isinstance(translated, str) else _by_form(translated)
        for sentence, translated in view.get_catalog().items()
        if sentence
    }


def _by_form(forms: list[str]) -> dict[str, str]:
    return dict(zip(PLURAL_FORMS[len(forms)], forms, strict=True))

"""Languages: which one a page is in, and the catalogue that its scripts get.

What annotators see is translated; managers' pages are in English. A visitor's language is the one
that they chose (a cookie), else the one that their browser asks for. On the pages of a campaign
that has a language of its own, that one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django import template
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import DjangoTranslation
from django.views.i18n import JavaScriptCatalog

ENGLISH = "en"
PLURAL_FORMS: Mapping[int, tuple[str, ...]] = {
    1: ("other",),
    2: ("one", "other"),
    6: ("zero", "one", "two", "few", "many", "other"),
}
"""What browsers (the Unicode CLDR) call the plural forms of a catalogue that has so many."""

register = template.Library()

P = ParamSpec("P")
R = TypeVar("R", bound=HttpRequest)


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


def use_language(request: HttpRequest, language: str) -> None:
    """Answer this request in a language; an empty one stands for the visitor's own."""
    translation.activate(language or translation.get_language_from_request(request))


def in_english(
    view: Callable[Concatenate[R, P], HttpResponse],
) -> Callable[Concatenate[R, P], HttpResponse]:
    """Keep a view in English, which managers' pages are in."""

    @wraps(view)
    def english(request: R, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        translation.activate(ENGLISH)
        return view(request, *args, **kwargs)

    return english


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

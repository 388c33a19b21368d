"""The catalogues of the annotator's interface: complete, sound, compiled; and nothing unwrapped."""

from __future__ import annotations

import ast
import re
import sys
from gettext import GNUTranslations, c2py
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import get_args

import pytest
from babel import Locale
from babel.messages.catalog import Message
from babel.messages.jslexer import Token, tokenize
from django.conf import settings

from gistmark.judgements.fields import FaultKind
from gistmark.web.interface.languages import PLURAL_FORMS

sys.path.insert(0, str(Path(__file__).parents[3] / "docs"))
import messages

CATALOGUES = [(locale, domain) for locale in messages.LOCALES for domain in messages.DOMAINS]
PLACEHOLDER = re.compile(r"%\(\w+\)s|%%")
MARKUP = re.compile(r"<[^>]*>")
EXACT = ("zero", "one", "two")
"""Plural forms that may name their number in words."""

MANAGERS = (
    "accounts/people/", "accounts/sign_in/log_in_code", "accounts/sign_in/second_factor",
    "accounts/sign_in/set_up", "annotate/preview", "api/", "campaigns/", "crowd/approvals",
    "crowd/form", "manage/", "practice/answer", "results/", "privacy/erase_person",
)  # fmt: skip
"""How the names of templates begin that only managers see; all others are annotators'."""
SHOWN = ("aria-label", "alt", "title", "placeholder", "data-label", "data-copied", "data-refused")
TAG = re.compile(
    r"{%\s*block (?:mode|body_class)\s*%}.*?{%\s*endblock\s*%}"
    r"|{%\s*blocktranslate.*?{%\s*endblocktranslate\s*%}|{%\s*comment.*?{%\s*endcomment\s*%}"
    r"|{#.*?#}|{%.*?%}|{{.*?}}",
    re.DOTALL,
)
LETTERS = re.compile(r"[^\W\d_]{2}")

WRAPPING = {"gettext", "ngettext"}
SELECTING = {"querySelector", "querySelectorAll", "closest", "matches"}
SAYING = re.compile(r"(Error|Http404|PermissionDenied|messages\.\w+)$")
ANNOTATORS = (
    "accounts/sign_in/attempts.py", "accounts/sign_in/sign_on.py",
    "accounts/views/account.py", "accounts/views/sign_on.py", "annotate/practice.py",
    "annotate/services/comments.py", "annotate/views.py", "campaigns/views.py",
    "qualification/services/admission.py", "qualification/services/attempts.py",
    "privacy/views/own.py",
)  # fmt: skip
"""What speaks to annotators alone."""
TECHNICAL = re.compile(
    r"[a-z0-9][\w-]*"  # a name of the machine: an element, an event, a class
    r"|[a-z][^\s]*[./:=\[#-][^\s]*|[.:#?_\[-][^\s]*"  # an address, a field, a selector
    r"|[.#].*|.*\[\w[^\]]*\].*"
    r"|Arrow\w+|Enter|Tab|Escape|Home|End|Delete|Backspace|Alt|Z"  # keys
    r"|NFKC"  # a normal form of Unicode
    r"|Content-Type|X-CSRFToken|PUT|POST"
)
CLASS = re.compile(r"\.([a-z][\w-]*)")


def forms(string: object) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string or ())  # type: ignore[arg-type]


def entries(locale: str, domain: str) -> list[Message]:
    return [each for each in messages.read(locale, domain) if each.id]


def test_every_language_has_a_catalogue():
    codes = {code for code, _ in settings.LANGUAGES} - {"en"}
    assert {locale.replace("_", "-").lower() for locale in messages.LOCALES} == codes


@pytest.mark.parametrize("domain", messages.DOMAINS)
def test_no_sentence_of_the_source_is_missing_or_fuzzy_in_any_language(domain):
    wanted = {each.id for each in messages.template(domain) if each.id}
    for locale in messages.LOCALES:
        translated = {
            each.id
            for each in entries(locale, domain)
            if forms(each.string) and all(forms(each.string)) and not each.fuzzy
        }
        assert translated == wanted, f"{locale}/{domain}: run `make messages` and translate"


@pytest.mark.parametrize(("locale", "domain"), CATALOGUES)
def test_translations_keep_the_placeholders_and_the_markup(locale, domain):
    for each in entries(locale, domain):
        sources, translations = forms(each.id), forms(each.string)
        names = PLURAL_FORMS[len(translations)] if len(sources) == 2 else ("other",)
        for name, translation in zip(names, translations, strict=True):
            given, wanted = (
                sorted(PLACEHOLDER.findall(text)) for text in (translation, sources[-1])
            )
            if name in EXACT and len(sources) == 2:
                assert set(given) <= set(wanted), translation
            else:
                assert given == wanted, translation
            tags = [sorted(MARKUP.findall(text)) for text in (translation, sources[-1])]
            assert tags[0] == tags[1], translation
            assert translation.count("*") == sources[-1].count("*"), translation


@pytest.mark.parametrize(("locale", "domain"), CATALOGUES)
def test_what_the_platform_reads_is_what_translators_wrote(locale, domain):
    stored = messages.po_file(locale, domain).with_suffix(".mo").read_bytes()
    read, compiled = (
        GNUTranslations(BytesIO(data)) for data in (stored, messages.compiled(locale, domain))
    )
    catalogues = [vars(each)["_catalog"] for each in (read, compiled)]
    for catalogue in catalogues:
        del catalogue[""]
    assert catalogues[0] == catalogues[1], "run `make messages`"


@pytest.mark.parametrize("locale", messages.LOCALES)
def test_browsers_choose_the_plural_form_that_the_server_chooses(locale):
    catalogue = messages.read(locale, "djangojs")
    names, index = PLURAL_FORMS[catalogue.num_plurals], c2py(catalogue.plural_expr)
    browser = Locale.parse(locale).plural_form
    for number in range(300):
        assert names[index(number)] == browser(number), number


class Texts(HTMLParser):
    """What a reader can see or hear of a template, without what its tags print."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if name in SHOWN and value]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def unwrapped_in_template(source: str) -> list[str]:
    reader = Texts()
    reader.feed(TAG.sub(" ", source))
    texts = (text.strip() for text in reader.texts)
    return [text for text in texts if LETTERS.search(text.replace("Gistmark", ""))]


def test_the_annotators_templates_have_no_text_that_is_not_wrapped():
    folder = messages.INTERFACE / "templates"
    unwrapped = {}
    for file in sorted(folder.rglob("*.html")):
        name = file.relative_to(folder).as_posix()
        if not name.startswith(MANAGERS):
            unwrapped[name] = unwrapped_in_template(file.read_text(encoding="utf-8"))
    assert "annotate/task.html" in unwrapped
    assert {name: texts for name, texts in unwrapped.items() if texts} == {}


def classes() -> frozenset[str]:
    """The names of classes in the style sheets."""
    sheets = (messages.INTERFACE / "static").rglob("*.css")
    names = {name for file in sheets for name in CLASS.findall(file.read_text())}
    return frozenset(names | {re.sub(r"\d+$", "", name) for name in names})


def unwrapped_in_script(source: str, known: frozenset[str] = frozenset()) -> list[str]:
    """Literals that are no arguments of `gettext`, no word of the machine and no classes."""
    comments = ("linecomment", "multilinecomment")
    tokens = [each for each in tokenize(source) if each.type not in comments]
    ignored = WRAPPING | SELECTING
    unwrapped: list[str] = []
    calls: list[str] = []
    start = Token("", "", 0)
    for name, before, token in zip([start, start, *tokens], [start, *tokens], tokens, strict=False):
        if token.value == "(":
            calls.append(before.value)
        elif token.value == ")" and calls:
            calls.pop()
        elif token.type in ("string", "template_string") and not set(calls) & ignored:
            text = re.sub(r"\$\{.*?\}", "", token.value[1:-1], flags=re.DOTALL).strip()
            is_class = (name.value, before.value) == ("class", ":") or set(text.split()) <= known
            is_technical = TECHNICAL.fullmatch(text) or is_class
            if LETTERS.search(text) and not is_technical:
                unwrapped.append(text)
    return unwrapped


def test_the_annotators_scripts_have_no_text_that_is_not_wrapped():
    folder, known = messages.INTERFACE / "static/annotate", classes()
    unwrapped = {
        file.relative_to(folder).as_posix(): unwrapped_in_script(
            file.read_text(encoding="utf-8"), known
        )
        for file in sorted(folder.rglob("*.js"))
        if file.name != "preview.js"
    }
    assert "task/task.js" in unwrapped
    assert {name: texts for name, texts in unwrapped.items() if texts} == {}


def test_pages_have_a_sentence_for_every_kind_of_fault():
    script = (messages.INTERFACE / "static/annotate/feedback.js").read_text(encoding="utf-8")
    table = script.partition("const FAULTS = {")[2].partition("}")[0]
    assert set(re.findall(r"(\w+): gettext\(", table)) == set(get_args(FaultKind))


def unwrapped_in_python(source: str) -> list[str]:
    """What an error or a message is given as a literal."""
    calls = [each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Call)]
    return [
        ast.unparse(argument)
        for call in calls
        for argument in call.args
        if SAYING.search(ast.unparse(call.func))
        and isinstance(argument, ast.JoinedStr | ast.Constant)
    ]


def test_what_annotators_are_told_by_views_and_services_is_wrapped():
    unwrapped = {
        name: unwrapped_in_python((messages.WEB / name).read_text(encoding="utf-8"))
        for name in ANNOTATORS
    }
    assert {name: texts for name, texts in unwrapped.items() if texts} == {}


def test_text_that_is_not_wrapped_is_noticed():
    assert unwrapped_in_python('raise UsageError("No.")') == ["'No.'"]
    assert unwrapped_in_python('raise UsageError(gettext("No."))') == []
    assert unwrapped_in_template("<p>Well {% translate 'done' %}</p>") == ["Well"]
    assert unwrapped_in_template('<a title="Go on" {% if x %}hidden{% endif %}>…</a>') == ["Go on"]
    assert unwrapped_in_template("{% blocktranslate %}Well {{ x }}{% endblocktranslate %}") == []
    assert unwrapped_in_script('button("Try again", go)') == ["Try again"]
    assert unwrapped_in_script("p.textContent = `Saved ${at}`;") == ["Saved"]
    assert unwrapped_in_script('button(gettext("Try again"), go, { class: "quiet" })') == []
    assert unwrapped_in_script('x = "few readers";', frozenset({"quiet"})) == ["few readers"]

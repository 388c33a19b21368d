"""Refresh the catalogues of the annotator's interface: `make messages`.

Collects every sentence that is wrapped for translation, adds it to the `.po` files below
`src/gistmark/web/interface/locale`, drops those that are gone, and compiles the `.mo` files that
the platform reads. `django` is for Python and templates, `djangojs` for scripts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[1]
WEB = ROOT / "src/gistmark/web"
INTERFACE = WEB / "interface"
LOCALES = ("de", "es", "fr", "zh_Hans", "ar")
DOMAINS = ("django", "djangojs")
# What a call wraps: the argument, or singular and plural.
KEYWORDS = {
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "translatable": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
}
# Catalogues have a date in their header; a fixed one keeps unchanged files identical.
DATE = datetime(2026, 1, 1, tzinfo=UTC)
HEAD = "# The annotator's interface of Gistmark; `make messages` refreshes this file."
ABOUT = {"project": "gistmark", "version": "1", "last_translator": "Gistmark", "charset": "utf-8"}


def sources(domain: str) -> Iterator[Path]:
    """The files whose sentences are in a catalogue."""
    if domain == "djangojs":
        yield from sorted((INTERFACE / "static/annotate").rglob("*.js"))
        return
    for folder in (WEB, ROOT / "src/gistmark/judgements"):
        yield from sorted(folder.rglob("*.py"))
    yield from sorted((INTERFACE / "templates").rglob("*.html"))


def template(domain: str) -> Catalog:
    """All sentences of the source, without translations."""
    catalogue = Catalog(**ABOUT)
    method = "javascript" if domain == "djangojs" else "python"
    for file in sources(domain):
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".html":
            text = "\n".join(map(str.strip, templatize(text, origin=str(file)).splitlines()))
        name = file.relative_to(ROOT).as_posix()
        for _, sentence, comments, _ in extract(method, BytesIO(text.encode()), KEYWORDS):
            catalogue.add(sentence, locations=[(name, 0)], auto_comments=comments)
    return catalogue


def po_file(locale: str, domain: str) -> Path:
    """The catalogue of a language as translators edit it."""
    return INTERFACE / "locale" / locale / "LC_MESSAGES" / f"{domain}.po"


def read(locale: str, domain: str) -> Catalog:
    """The catalogue of a language as it is; empty where there is none yet."""
    file = po_file(locale, domain)
    if not file.exists():
        return Catalog(locale, header_comment=HEAD, **ABOUT)
    with file.open("rb") as opened:
        return read_po(opened, locale)


def compiled(locale: str, domain: str) -> bytes:
    """The catalogue of a language as the platform reads it."""
    catalogue = read(locale, domain)
    catalogue.creation_date = catalogue.revision_date = DATE
    opened = BytesIO()
    write_mo(opened, catalogue)
    return opened.getvalue()


def save(locale: str, domain: str, catalogue: Catalog) -> None:
    """Write a catalogue, and compile it."""
    catalogue.creation_date = catalogue.revision_date = DATE
    catalogue.fuzzy = False
    file = po_file(locale, domain)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as opened:
        write_po(opened, catalogue, width=100, sort_output=True, include_lineno=False)
    file.with_suffix(".mo").write_bytes(compiled(locale, domain))


def refresh(locale: str, domain: str) -> list[str]:
    """Bring a catalogue in line with the source; returns what it lacks."""
    catalogue = read(locale, domain)
    catalogue.update(template(domain), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    save(locale, domain, catalogue)
    return [str(each.id) for each in catalogue if each.id and not all(_forms(each.string))]


def _forms(string: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (string or "",) if isinstance(string, str | None) else tuple(string)


def main() -> int:
    """Refresh all catalogues, and name the sentences that are not translated yet."""
    lacking = {
        f"{locale}/{domain}": refresh(locale, domain) for locale in LOCALES for domain in DOMAINS
    }
    for name, sentences in lacking.items():
        for sentence in sentences:
            sys.stdout.write(f"{name}: {sentence}\n")
    return 1 if any(lacking.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

"""Artefacts: what stands on a web page around its text, and belongs in no summary.

The phrases are English; links, menus and lines with hardly any letters are found in any language.
A rule asks for the form of an artefact, not for its subject: "We use cookies to improve your
visit" is one, "The court ruled on cookies" is not.
"""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 500
"""A longer sentence has no form of an artefact, save a menu's or a table's."""

_SITE = r"(?:we|our (?:web)?sites?|this (?:web)?site|this page)"
_JOINING = r"(?:subscribe|sign up|sign in|log ?in|register)"
_DONE = r"(?:updated|modified|published|posted|edited|printed|created|reviewed)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:mon|tue|tues|wednes|wed|thu|thurs|fri|satur|sat|sun)(?:day)?"

_FORMS = {
    "copyright": (
        r"^\W*copyright\W*(?:\(c\)\W*)?(?:19|20)\d\d\b",
        r"^\W*(?:©|\(c\)\s*(?:19|20)\d\d\b)",
        r"©\s*(?:19|20)\d\d\b",
        r"\ball rights reserved\W*$",
        r"^(?:this|the) (?:material|article|content|story|text|page|work)\b.* may not be \w+",
        r"\b(?:reproduced|reprinted|republished) (?:here )?with permission\b",
    ),
    "cookies and terms": (
        rf"\b{_SITE}(?: \w+){{0,3}} uses? cookies\b",
        r"^\W*(?:accept|allow|reject|manage)(?: all)?(?: our)? cookies?\b",
        r"\b(?:enable|turn on) (?:javascript|cookies) (?:in|on|to|and)\b",
        r"\bby (?:continuing|using|clicking|browsing|signing|registering|submitting)\b.*"
        r"\byou (?:are )?(?:agree|accept|consent)(?:ing)?\b",
    ),
    "calls to the reader": (
        rf"^\W*(?:please )?{_JOINING}(?:\W*$| (?:now|here|today|free|via|with)\b)",
        rf"^\W*(?:please )?{_JOINING} (?:to|for) (?:our|your|free|receive|get|read|continue|"
        r"comment|view|access|updates|alerts|newsletters?)\b",
        r"\bclick (?:here|below|on the link)(?:\W*$| (?:to|for|and|if)\b)",
        r"^\W*(?:share|tweet|pin|print|e-?mail)(?: this| it)?(?: article| story| page| post| link)?"
        r"(?: (?:on|via|with|to)(?: \w+){1,4})?\W*$",
        r"^\W*(?:like|follow|join) us\b(?: on\b.*|\W*$)",
        r"^\W*(?:join|get|receive) (?:our|the latest)\b.*"
        r"\b(?:newsletter|list|inbox|updates|alerts)\b",
        r"^\W*(?:download|get) (?:our|the) (?:\w+ )?app\b",
        r"^\W*(?:leave|post|add|write) a (?:comment|reply)\b",
        r"^\W*scroll (?:down )?(?:to|for)\b",
    ),
    "navigation": (
        r"^\W*(?:skip|jump|back|return) to (?:\w+ )?"
        r"(?:content|top|home|navigation|menu|search|article|page)\W*$",
        r"^\W*(?:read|see|show|view|load)(?: the)? (?:more|full|all)\b(?: \w+){0,3}\W*$",
        r"^\W*you (?:may|might) (?:also like|be interested in)\W*$",
        r"^\W*(?:related|recent|popular|trending|recommended|more)(?: \w+)? "
        r"(?:articles?|stories|posts?|links|topics|news|videos|content)\W*$",
        r"^\W*\d+ (?:comments?|repl(?:y|ies)|shares?|likes?|views?)\W*$",
    ),
    "credits": (
        r"^\W*(?:image|photo|photograph|picture|video|media)s? "
        r"(?:credits?|courtesy|copyright|source|caption)\b",
        r"^\W*(?:image|photo|photograph|picture|credit|illustration|graphic)s?\s*[:©]",
        r"^\W*(?:photos?|photographs?|images?|pictures?) by(?: \S+){1,4}\W*$",
        r"^\W*(?:getty images|reuters|afp|ap photo)(?:\W+\w+)?\W*$",
    ),
    "advertisements": (
        r"^\W*(?:advertisements?|ads?|advertising|sponsored(?: \w+)?|promoted)\W*$",
        r"^\W*(?:(?:story|article) )?continues? (?:reading )?(?:below|after)\b(?: \w+){0,3}\W*$",
    ),
    "dates": (
        rf"^\W*(?:(?:last|first) )?{_DONE}(?: on| at)?:?\W+(?:by\b|\d|{_MONTH}\b|{_WEEKDAY}\b)"
        rf"(?=.*\d)(?:\W+\w+){{0,8}}\W*$",
    ),
}
_ALL_FORMS = [form for kind in _FORMS.values() for form in kind]
_AT_START = re.compile("|".join(form for form in _ALL_FORMS if form.startswith("^")), re.I)
_ANYWHERE = re.compile("|".join(form for form in _ALL_FORMS if not form.startswith("^")), re.I)

_LINK = re.compile(
    r"(?:https?://|www\.)\S+|\S+@\S+\.\w+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov)\b\S*", re.I
)
_DATE = re.compile(
    rf"\b(?:{_MONTH}|{_WEEKDAY}|gmt|bst|utc|[ecmp][sd]t|am|pm|on|at)\b|\d+(?:st|nd|rd|th|h)?", re.I
)
_MENU = re.compile(
    r"\b(?:about us|contact(?: us)?|home(?: ?page)?|site ?map|(?:main )?menu|search|"
    r"(?:privacy|cookies?) (?:policy|notice|settings|preferences|statement)|privacy|"
    r"terms(?: (?:of|and|&) (?:use|service|conditions))?|disclaimer|faqs?|"
    r"(?:next|previous|older|newer)(?: (?:page|post|article|story))?|log ?(?:in|out)|"
    r"sign (?:in|out|up)|register|subscribe|reply|report abuse|categories|tags?|archives?|rss|"
    r"newsletter|jobs|careers|advertise with us|facebook|twitter|instagram|youtube|linkedin|"
    r"see|read|view|our|the|and)\b",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN_ITEMS = re.compile(r"\s+[|>»›•·]+\s+")


def is_artefact(text: str) -> bool:
    """Whether a sentence is an artefact; one without any letters is."""
    if _hardly_letters(text) or _is_trail(text):
        return True
    return len(text) <= _LONGEST and (
        _AT_START.match(text) is not None
        or _ANYWHERE.search(text) is not None
        or _is_all(_LINK, text, but=2)
        or _is_all(_DATE, text)
        or _is_all(_MENU, text)
    )


def _hardly_letters(text: str) -> bool:
    """Whether less than a quarter of the signs are letters, or marks on them."""
    if 4 * sum(map(str.isalpha, text)) > len(text):
        return False
    signs = "".join(text.split())
    letters = sum(unicodedata.category(sign)[0] in "LM" for sign in signs)
    return not letters or 4 * letters < len(signs)


def _is_all(pattern: re.Pattern[str], text: str, *, but: int = 0) -> bool:
    """Whether the pattern is found and no words are left without it, or so many at most."""
    rest, found = pattern.subn(" ", text)
    return found > 0 and len(_WORD.findall(rest)) <= but


def _is_trail(text: str) -> bool:
    """Whether it is a row of short items between signs, as a menu is."""
    items = _BETWEEN_ITEMS.split(text)
    return len(items) >= 3 and len(_WORD.findall(text)) <= 3 * len(items)

"""Which column of a summary table plays which role, with the names that other tools use.

The roles are document (its id), system, summary, text (of the document), title, reference and
anonymous (whether the system's name is only an order of appearance). A column of a role's own name
plays it; otherwise one of its aliases does. Two rules settle what the data sets of the field call
by the same word:

- `document` holds texts, not ids, where no column is called `text` and either another column
  holds ids or no column names the system (XSum and its kin).
- `summary` holds references where no column names the system and none is called `reference`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gistmark.errors import UsageError

ALIASES: Mapping[str, tuple[str, ...]] = {
    "document": ("id", "doc_id", "document_id"),
    "system": ("model", "model_id"),
    "summary": ("candidate", "prediction", "decoded"),
    "text": ("article", "source", "dialogue"),
    "reference": ("references", "highlights", "gold", "target"),
    "title": (),
    "anonymous": (),
}
ROLES = tuple(ALIASES)

Given = Mapping[str, str | Sequence[str]]
"""The columns of some roles, as the user gives them; references may have several."""

_NUMBERED = re.compile(r"reference_([1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Columns:
    """The column of each role; `references` gives the column of each numbered reference."""

    document: str | None
    system: str | None
    summary: str | None
    text: str | None
    title: str | None
    anonymous: str | None
    references: Mapping[int, str]


def check_roles(given: Given) -> None:
    """Raise a `UsageError` where a role does not exist, or has several columns but may not."""
    for role, chosen in given.items():
        if role not in ROLES:
            raise UsageError(f"There is no role {role!r} for a column; roles: {', '.join(ROLES)}.")
        if not chosen:
            raise UsageError(f"The role {role!r} has no column.")
        if role != "reference" and not isinstance(chosen, str):
            raise UsageError(f"Only 'reference' may have several columns, not {role!r}.")


def check_names(given: Given, names: Iterable[str], file: Path | None = None) -> None:
    """Raise a `UsageError` that lists the columns where a chosen one is not among them."""
    names = list(names)
    where = f"{file}: " if file is not None else ""
    for chosen in given.values():
        for name in [chosen] if isinstance(chosen, str) else chosen:
            if name not in names:
                raise _unclear(f"{where}There is no column {name!r}.", names)


def find_columns(
    names: Sequence[str], given: Given | None = None, *, system_name: str | None = None
) -> Columns:
    """The roles of these columns; `given` overrides names, and what stays unclear is an error.

    `system_name` is the name of the system whose summaries the table holds, where no column
    says it.
    """
    given = dict(given or {})
    check_roles(given)
    check_names(given, names)
    roles = {role: _find(role, names, given) for role in ROLES}
    references = _references(names, given, roles["reference"])
    _settle_document(roles, names, given)
    if roles["summary"] and not roles["system"] and system_name is None:
        if references or "summary" in given:
            raise _unclear(
                "No column names the system; give system_name= (on the command line "
                "--system-name).",
                names,
            )
        references, roles["summary"] = {1: roles["summary"]}, None
    lacking = _lacking(roles) if roles["system"] else None
    if lacking is not None:
        raise _unclear(f"No column plays the role of {lacking!r}; {_hint(lacking)}.", names)
    if not roles["summary"] and not references:
        raise _unclear(f"No column holds summaries or references; {_hint('summary')}.", names)
    single = {role: roles[role] for role in ROLES if role != "reference"}
    return Columns(**single, references=references)


def _lacking(roles: Mapping[str, str | None]) -> str | None:
    """The role that a table with a column of systems needs and has not, if any."""
    if not roles["document"] and not roles["text"]:
        return "document"
    return None if roles["summary"] else "summary"


def _find(role: str, names: Sequence[str], given: Given) -> str | None:
    if role in given:
        chosen = given[role]
        return chosen if isinstance(chosen, str) else chosen[0]
    taken = {n for name in given.values() for n in ([name] if isinstance(name, str) else name)}
    free = [name for name in names if name not in taken]
    if role in free:
        return role
    fitting = [name for name in ALIASES[role] if name in free]
    if len(fitting) > 1:
        choices = " and ".join(map(repr, fitting))
        raise _unclear(f"Both {choices} could be the {role}; {_hint(role)}.", names)
    return fitting[0] if fitting else None


def _references(names: Sequence[str], given: Given, first: str | None) -> dict[int, str]:
    chosen = given.get("reference")
    if chosen is not None and not isinstance(chosen, str):
        return dict(enumerate(chosen, start=1))
    references = {1: first} if first is not None else {}
    if chosen is None:
        matches = (_NUMBERED.fullmatch(name) for name in names)
        references |= {int(match[1]): match[0] for match in matches if match and int(match[1]) > 1}
    return dict(sorted(references.items()))


def _settle_document(roles: dict[str, str | None], names: Sequence[str], given: Given) -> None:
    if roles["document"] != "document" or "document" in given or roles["text"]:
        return
    other = next((name for name in ALIASES["document"] if name in names), None)
    if roles["system"] and other:
        both = f"Both 'document' and {other!r} could be the id"
        raise _unclear(f"{both}; {_hint('document')}.", names)
    if not roles["system"]:
        roles["text"], roles["document"] = "document", other


def _hint(role: str) -> str:
    return f"say which with columns= (on the command line --columns {role}=NAME)"


def _unclear(message: str, names: Sequence[str]) -> UsageError:
    return UsageError(f"{message} The columns are: {', '.join(names) or 'none'}.")

"""Which column of a summary table plays which role, with the names that other tools use.

The roles are document (its id), system, summary, text (of the document), title and reference.
A column of a role's own name plays it; otherwise one of its aliases does. Two rules settle what
the data sets of the field call by the same word:

- `document` holds texts, not ids, where no column is called `text` and either another column
  holds ids or no column names the system (XSum and its kin).
- `summary` holds references where no column names the system and none is called `reference`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gistmark.errors import UsageError

ALIASES: Mapping[str, tuple[str, ...]] = {
    "document": ("id", "doc_id", "document_id"),
    "system": ("model", "model_id"),
    "summary": ("candidate", "prediction", "decoded"),
    "text": ("article", "source", "dialogue"),
    "reference": ("highlights", "gold", "target"),
    "title": (),
}
ROLES = tuple(ALIASES)
_NUMBERED = re.compile(r"reference_([1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Columns:
    """The column of each role; `references` gives the column of each numbered reference."""

    document: str | None
    system: str | None
    summary: str | None
    text: str | None
    title: str | None
    references: Mapping[int, str]

    def used(self) -> set[str]:
        single = (self.document, self.system, self.summary, self.text, self.title)
        return {name for name in (*single, *self.references.values()) if name is not None}


def find_columns(
    names: Sequence[str],
    given: Mapping[str, str | Sequence[str]] | None = None,
    *,
    system_name: str | None = None,
) -> Columns:
    """The roles of these columns; `given` decides for a role, and what stays unclear is an error.

    `system_name` is the name of the system whose summaries the table holds, where no column
    says it.
    """
    given = dict(given or {})
    _check_given(given, names)
    found = {role: _find(role, names, given) for role in ROLES}
    references = _references(names, given, found["reference"])
    _settle_document(found, names, given)
    if found["summary"] and not found["system"] and system_name is None:
        if references or "summary" in given:
            raise _unclear("No column names the system; give system_name.", names)
        references, found["summary"] = {1: found["summary"]}, None
    if found["system"] and not (found["document"] and found["summary"]):
        lacking = "summary" if found["document"] else "document"
        raise _unclear(f"No column plays the role of {lacking!r}.", names)
    if not found["summary"] and not references:
        raise _unclear("No column holds summaries or references.", names)
    single = {role: found[role] for role in ROLES if role != "reference"}
    return Columns(**single, references=references)


def _check_given(given: Mapping[str, str | Sequence[str]], names: Sequence[str]) -> None:
    for role, chosen in given.items():
        if role not in ROLES:
            raise UsageError(f"There is no role {role!r} for a column; roles: {', '.join(ROLES)}.")
        for name in [chosen] if isinstance(chosen, str) else chosen:
            if name not in names:
                raise _unclear(f"There is no column {name!r}.", names)


def _find(role: str, names: Sequence[str], given: Mapping[str, str | Sequence[str]]) -> str | None:
    if role in given:
        chosen = given[role]
        return chosen if isinstance(chosen, str) else chosen[0]
    if role in names:
        return role
    taken = {name for name in given.values() if isinstance(name, str)}
    fitting = [name for name in ALIASES[role] if name in names and name not in taken]
    if len(fitting) > 1:
        choices = " and ".join(map(repr, fitting))
        raise _unclear(f"Both {choices} could be the {role}; say which with columns=.", names)
    return fitting[0] if fitting else None


def _references(
    names: Sequence[str], given: Mapping[str, str | Sequence[str]], first: str | None
) -> dict[int, str]:
    chosen = given.get("reference")
    if chosen is not None and not isinstance(chosen, str):
        return dict(enumerate(chosen, start=1))
    found = {1: first} if first is not None else {}
    if chosen is None:
        matches = (_NUMBERED.fullmatch(name) for name in names)
        found |= {int(match[1]): match[0] for match in matches if match and int(match[1]) > 1}
    return dict(sorted(found.items()))


def _settle_document(
    found: dict[str, str | None],
    names: Sequence[str],
    given: Mapping[str, str | Sequence[str]],
) -> None:
    if found["document"] != "document" or "document" in given or found["text"]:
        return
    other = next((name for name in ALIASES["document"] if name in names), None)
    if found["system"] and other:
        raise _unclear(f"Both 'document' and {other!r} could be the id; say with columns=.", names)
    if not found["system"]:
        found["text"], found["document"] = "document", other


def _unclear(message: str, names: Sequence[str]) -> UsageError:
    return UsageError(f"{message} The columns are: {', '.join(names) or 'none'}.")

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


def check_roles(user_columns: Given) -> None:
    """Raise a `UsageError` where a role does not exist, or has several columns but may not."""
    for role, columns in user_columns.items():
        if role not in ROLES:
            raise UsageError(f"There is no role {role!r} for a column; roles: {', '.join(ROLES)}.")
        if not columns:
            raise UsageError(f"The role {role!r} has no column.")
        if role != "reference" and not isinstance(columns, str):
            raise UsageError(f"Only 'reference' may have several columns, not {role!r}.")


def check_names(user_columns: Given, names: Iterable[str], file: Path | None = None) -> None:
    """Raise a `UsageError` that lists all columns if the user named one that does not exist."""
    names = list(names)
    prefix = f"{file}: " if file is not None else ""
    for columns in user_columns.values():
        for name in [columns] if isinstance(columns, str) else columns:
            if name not in names:
                raise _columns_error(f"{prefix}There is no column {name!r}.", names)


def find_columns(
    names: Sequence[str], user_columns: Given | None = None, *, system_name: str | None = None
) -> Columns:
    """Find the column of each role; `user_columns` come before names, and doubt is an error.

    `system_name` is the name of the system whose summaries the table holds, if no column names it.
    """
    user_columns = dict(user_columns or {})
    check_roles(user_columns)
    check_names(user_columns, names)
    roles = {role: _find_column(role, names, user_columns) for role in ROLES}
    references = _reference_columns(names, user_columns, roles["reference"])
    _settle_document_column(roles, names, user_columns)
    if roles["summary"] and not roles["system"] and system_name is None:
        if references or "summary" in user_columns:
            raise _columns_error(
                "No column names the system; give system_name= (on the command line "
                "--system-name).",
                names,
            )
        references, roles["summary"] = {1: roles["summary"]}, None
    missing_role = _missing_role(roles) if roles["system"] else None
    if missing_role is not None:
        raise _columns_error(
            f"No column plays the role of {missing_role!r}; {_hint(missing_role)}.", names
        )
    if not roles["summary"] and not references:
        raise _columns_error(f"No column holds summaries or references; {_hint('summary')}.", names)
    single = {role: roles[role] for role in ROLES if role != "reference"}
    return Columns(**single, references=references)


def _missing_role(roles: Mapping[str, str | None]) -> str | None:
    """A role that a table with a column of systems needs but does not have; None if complete."""
    if not roles["document"] and not roles["text"]:
        return "document"
    return None if roles["summary"] else "summary"


def _find_column(role: str, names: Sequence[str], user_columns: Given) -> str | None:
    if role in user_columns:
        columns = user_columns[role]
        return columns if isinstance(columns, str) else columns[0]
    used = {
        n for name in user_columns.values() for n in ([name] if isinstance(name, str) else name)
    }
    unused = [name for name in names if name not in used]
    if role in unused:
        return role
    candidates = [name for name in ALIASES[role] if name in unused]
    if len(candidates) > 1:
        choices = " and ".join(map(repr, candidates))
        raise _columns_error(f"Both {choices} could be the {role}; {_hint(role)}.", names)
    return candidates[0] if candidates else None


def _reference_columns(
    names: Sequence[str], user_columns: Given, first: str | None
) -> dict[int, str]:
    columns = user_columns.get("reference")
    if columns is not None and not isinstance(columns, str):
        return dict(enumerate(columns, start=1))
    references = {1: first} if first is not None else {}
    if columns is None:
        matches = (_NUMBERED.fullmatch(name) for name in names)
        references |= {int(match[1]): match[0] for match in matches if match and int(match[1]) > 1}
    return dict(sorted(references.items()))


def _settle_document_column(
    roles: dict[str, str | None], names: Sequence[str], user_columns: Given
) -> None:
    if roles["document"] != "document" or "document" in user_columns or roles["text"]:
        return
    id_column = next((name for name in ALIASES["document"] if name in names), None)
    if roles["system"] and id_column:
        both = f"Both 'document' and {id_column!r} could be the id"
        raise _columns_error(f"{both}; {_hint('document')}.", names)
    if not roles["system"]:
        roles["text"], roles["document"] = "document", id_column


def _hint(role: str) -> str:
    return f"say which with columns= (on the command line --columns {role}=NAME)"


def _columns_error(message: str, names: Sequence[str]) -> UsageError:
    return UsageError(f"{message} The columns are: {', '.join(names) or 'none'}.")

"""Many new people at once, from a CSV file or a pasted list; all of them or none."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db import transaction

from gistmark.errors import CorpusError, Problem, UsageError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.names import name_key
from gistmark.web.accounts.people import (
    NameTakenError,
    check_password,
    checked_name,
    checked_role,
    create_user,
    hash_password,
)
from gistmark.web.accounts.sign_in.credentials import make_password_link

COLUMNS = ("name", "role", "password")
MOST_PEOPLE = 1_000
FILE_BYTES = 1024**2
_LIST, _ROW = "list", "person"


@dataclass(frozen=True, slots=True)
class Person:
    """A row of the file; `hashed` is what is stored of the password, where it has one."""

    name: str
    role: str
    hashed: str | None


@dataclass(frozen=True, slots=True)
class Imported:
    """Somebody new; `secret` opens the page to set a password where the file had none."""

    user: User
    secret: str | None


def import_people(data: bytes, *, by: User | None, file: str) -> tuple[Imported, ...]:
    """Make an account for every row, or raise `CorpusError` with every problem of the file."""
    return _create_all(_read(data, file), by)


def import_list(pasted: str, *, by: User | None) -> tuple[Imported, ...]:
    """The same for a pasted list: each line is a name and, optionally, a role.

    Where the first line names columns, it is read as a file is.
    """
    lines = [line.replace("\t", ",") for line in pasted.splitlines()]
    text = "\n".join(lines)
    first = next((line for line in lines if line.strip()), "")
    named = "name" in [cell.strip().lower() for cell in first.split(",")]
    data = text.encode("utf-8", "replace")
    return _create_all(_read(data, _LIST, None if named else list(COLUMNS)), by)


def create_people(rows: Iterable[dict[str, str]], *, by: User | None) -> tuple[Imported, ...]:
    """The same for rows that a program sends, each with a name and a role."""
    return _create_all(_checked(list(enumerate(rows, start=1)), _ROW), by)


def _create_all(people: Iterable[Person], by: User | None) -> tuple[Imported, ...]:
    """All accounts or none; the passwords are hashed by now, so that nobody waits for that."""
    with transaction.atomic():
        return tuple(_create(person, by) for person in people)


def _create(person: Person, by: User | None) -> Imported:
    user = create_user(person.name, role=person.role, hashed=person.hashed, by=by)
    if person.hashed is not None:
        return Imported(user, None)
    return Imported(user, make_password_link(by=by, user=user).secret)


def _read(data: bytes, file: str, head: list[str] | None = None) -> tuple[Person, ...]:
    """The people of a table; a `head` stands for a first line that names the columns."""
    return _checked(_rows(data, file, head), file)


def _checked(rows: list[tuple[int, dict[str, str]]], file: str) -> tuple[Person, ...]:
    """The people of numbered rows, or every problem of theirs."""
    problems: list[Problem] = []
    sound: list[tuple[str, str, str | None]] = []
    taken = _taken(row.get("name") or "" for _, row in rows)
    for line, row in rows:
        try:
            sound.append(_cells_of(row, taken))
        except UsageError as error:
            problems.append(Problem(str(error), file, line))
        else:
            taken.add(name_key(sound[-1][0]))
    if problems:
        raise CorpusError(problems)
    return tuple(
        Person(name, role, None if password is None else hash_password(password, name))
        for name, role, password in sound
    )


def _rows(data: bytes, file: str, head: list[str] | None) -> list[tuple[int, dict[str, str]]]:
    """The rows with their line numbers; problems of the file as a whole are raised here."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CorpusError(
            [Problem(f"The file is not UTF-8 at byte {error.start}.", file)]
        ) from None
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        given = head is not None
        head = head or [cell.strip().lower() for cell in next(reader, [])]
        _check_head(head, file)
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
        if given:
            rows = [(line, row + [""] * (len(head) - len(row))) for line, row in rows]
    except csv.Error as error:
        raise CorpusError([Problem(f"This is not CSV: {error}.", file, reader.line_num)]) from None
    if not rows or len(rows) > MOST_PEOPLE:
        sentence = f"The file has {len(rows)} people; 1 to {MOST_PEOPLE} are allowed."
        raise CorpusError([Problem(sentence, file)])
    return list(_cells(head, rows, file))


def _check_head(head: list[str], file: str) -> None:
    unknown = [name for name in head if name not in COLUMNS]
    if unknown or "name" not in head or len(set(head)) < len(head):
        allowed = "name and, optionally, role and password"
        sentence = f"The first line must name the columns: {allowed}; it has {', '.join(head)!r}."
        raise CorpusError([Problem(sentence, file, 1)])


def _cells(
    head: list[str], rows: Iterable[tuple[int, list[str]]], file: str
) -> Iterator[tuple[int, dict[str, str]]]:
    problems = []
    for line, row in rows:
        if len(row) == len(head):
            yield line, dict(zip(head, row, strict=True))
        else:
            sentence = f"The line has {len(row)} cells, the first line {len(head)}."
            problems.append(Problem(sentence, file, line))
    if problems:
        raise CorpusError(problems)


def _cells_of(row: dict[str, str], taken: set[str]) -> tuple[str, str, str | None]:
    """Name, role and password of a row."""
    name = checked_name(row["name"])
    if name_key(name) in taken:
        raise NameTakenError(name)
    role = checked_role((row.get("role") or "").strip().lower() or User.Role.ANNOTATOR)
    password = row.get("password") or None
    if password is not None:
        check_password(password, name)
    return name, role, password


def _taken(names: Iterable[str]) -> set[str]:
    """The keys of those names that people have already."""
    wanted = {name_key(name) for name in names if "\0" not in name}
    return set(User.objects.filter(key__in=wanted).values_list("key", flat=True))

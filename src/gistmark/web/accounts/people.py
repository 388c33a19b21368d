"""Accounts: creating them, finding people, changing roles, closing and reopening."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable

from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User

NAME_LENGTH = 150
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP = 4, 5


class NameTakenError(UsageError):
    """Somebody else has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            gettext("The name '%(name)s' is taken; choose another one.") % {"name": name}
        )


def create_user(name: str, *, role: str = User.Role.ANNOTATOR, password: str | None = None) -> User:
    """Make an account; without a password it waits for a link that sets one."""
    name = checked_name(name)
    role = checked_role(role)
    if password is not None:
        check_password(password, name)
    try:
        with transaction.atomic():
            return User.objects.create_user(name, password=password, role=role)
    except IntegrityError as error:
        raise NameTakenError(name) from error


def find_user(name: str) -> User:
    """The person of this name."""
    (user,) = find_users([name])
    return user


def find_users(names: Iterable[str]) -> list[User]:
    """The people of these names, in any case; an error lists the names that nobody has."""
    wanted = {name.casefold(): name for name in names}
    storable = [name for name in wanted.values() if "\0" not in name]
    small = [name.lower() for name in storable]
    users = User.objects.annotate(small=Lower("username")).filter(
        Q(username__in=storable) | Q(small__in=small)
    )
    known = {user.username.casefold(): user for user in users}
    unknown = [name for key, name in wanted.items() if key not in known]
    if unknown:
        raise UsageError(f"There is no user {', '.join(map(repr, unknown))}.")
    return [known[key] for key in wanted]


def names_in(text: str) -> list[str]:
    """The names of a pasted list, with line breaks, commas, semicolons or blanks between them."""
    return list(dict.fromkeys(re.split(r"[\s,;]+", text.strip()))) if text.strip() else []


def change_role(user: User, role: str) -> None:
    """Give somebody another role; the last admin stays one."""
    role = checked_role(role)
    with transaction.atomic():
        if role != User.Role.ADMIN:
            _keep_an_admin(user)
        user.role = role
        user.save(update_fields=["role"])


def deactivate(user: User) -> None:
    """Close an account: its person can no longer log in, and nothing of their work is lost."""
    with transaction.atomic():
        _keep_an_admin(user)
        user.is_active = False
        user.save(update_fields=["is_active"])


def remove_account(user: User) -> bool:
    """Delete an account, or close it where work hangs on it; tells whether it was deleted.

    What counts as work is what the database protects: tasks, submissions, decisions, campaigns.
    """
    with transaction.atomic():
        _keep_an_admin(user)
        try:
            with transaction.atomic():
                user.delete()
        except ProtectedError:
            deactivate(user)
            return False
    return True


def activate(user: User) -> None:
    """Open an account again."""
    user.is_active = True
    user.save(update_fields=["is_active"])


def set_password(user: User, password: str) -> None:
    """Change a password, which ends all sessions of the person."""
    check_password(password, user.username)
    user.set_password(password)
    user.save(update_fields=["password"])


def generate_password() -> str:
    """A password that is easy to read aloud and hard to guess: 20 of 32 letters, 100 bits."""
    return "-".join(
        "".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS)
    )


def checked_name(name: str) -> str:
    """The name as it is stored, or an error that says what a name may be."""
    name = User.normalize_username(name.strip())
    if not name or len(name) > NAME_LENGTH:
        raise UsageError(gettext("A name has 1 to %(most)s characters.") % {"most": NAME_LENGTH})
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError:
        raise UsageError(
            gettext("'%(name)s' is not a valid name: letters, digits and @ . + - _ are allowed.")
            % {"name": name}
        ) from None
    return name


def checked_role(role: str) -> str:
    """The role, or an error that lists them."""
    if role not in User.Role.values:
        raise UsageError(f"There is no role {role!r}; roles are {', '.join(User.Role.values)}.")
    return role


def check_password(password: str, name: str) -> None:
    """Raise an error that says what is wrong with a password for the person of this name."""
    try:
        validate_password(password, User(username=name))
    except ValidationError as error:
        raise UsageError(" ".join(error.messages)) from None


def _keep_an_admin(user: User) -> None:
    """Refuse to take the rights from the only admin.

    All admins are locked until the transaction ends, so that two do not close each other.
    """
    admins = User.objects.select_for_update().filter(role=User.Role.ADMIN, is_active=True)
    if {admin.pk for admin in admins.order_by("pk")} == {user.pk}:
        raise UsageError(f"{user.username} is the only admin; make somebody else admin first.")

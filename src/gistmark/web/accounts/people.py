"""Accounts: creating them, finding people, changing roles, closing and reopening."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, Q
from django.utils import timezone
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import User
from gistmark.web.accounts.names import name_key
from gistmark.web.config.errors import NotAllowedError

NAME_LENGTH = 150
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP = 4, 5


class NameTakenError(UsageError):
    """Somebody else has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            gettext("The name '%(name)s' is taken; choose another one.") % {"name": name}
        )


def create_user(
    name: str,
    *,
    role: str = User.Role.ANNOTATOR,
    password: str | None = None,
    hashed: str | None = None,
    from_market: bool = False,
    machine: bool = False,
    by: User | None = None,
) -> User:
    """Make an account; without a password it waits for a link that sets one.

    Hashing takes a good part of a second on purpose: whoever calls this inside a transaction
    passes a password that is `hashed` already.
    """
    name = checked_name(name)
    role = checked_role(role)
    if hashed is None:
        hashed = make_password(None) if password is None else hash_password(password, name)
    user = User(
        username=name, role=role, password=hashed, key=name_key(name), from_market=from_market,
        machine=machine,
    )  # fmt: skip
    try:
        with transaction.atomic():
            user.save()
            note("account-created", by=by, name=name, role=role, **_kind(machine))
    except IntegrityError as error:
        raise NameTakenError(name) from error
    return user


def _kind(machine: bool) -> dict[str, str]:
    return {"kind": "machine"} if machine else {}


def hash_password(password: str, name: str) -> str:
    """What is stored of a password, if it is good enough for the person of this name."""
    check_password(password, name)
    return make_password(password)


def find_user(name: str) -> User:
    """The person of this name."""
    (user,) = find_users([name])
    return user


def find_users(names: Iterable[str]) -> list[User]:
    """The people of these names, in any case; an error lists the names that nobody has."""
    wanted = {name_key(name): name for name in names}
    storable = {key: name for key, name in wanted.items() if "\0" not in name}
    users = list(
        User.objects.filter(Q(username__in=storable.values()) | Q(key__in=storable.keys()))
    )
    by_name = {user.username: user for user in users}
    by_key = {user.key: user for user in users}
    known = {key: by_name.get(name) or by_key.get(key) for key, name in wanted.items()}
    unknown = [wanted[key] for key, user in known.items() if user is None]
    if unknown:
        raise UsageError(f"There is no user {', '.join(map(repr, unknown))}.")
    return [user for user in known.values() if user is not None]


def is_taken(name: str) -> bool:
    """Whether somebody has this name; whoever creates an account learns for sure."""
    return User.objects.filter(key=name_key(name)).exists()


def pasted(text: str) -> list[str]:
    """The parts of a pasted list, with line breaks, commas, semicolons or blanks between them."""
    return [part for part in re.split(r"[\s,;]+", text) if part]


def names_in(text: str) -> list[str]:
    """The names of a pasted list, each once."""
    return list(dict.fromkeys(pasted(text)))


def rename(user: User, name: str, *, by: User | None = None) -> None:
    """Give somebody another name; their work goes with them, in exports too."""
    name, before = checked_name(name), user.username
    user.username, user.key = name, name_key(name)
    try:
        with transaction.atomic():
            user.save(update_fields=["username", "key"])
            note("account-renamed", by=by, name=name, before=before)
    except IntegrityError as error:
        user.refresh_from_db(fields=["username", "key"])
        raise NameTakenError(name) from error


def change_role(user: User, role: str, *, by: User | None = None) -> None:
    """Give somebody another role; the last admin stays one."""
    role = checked_role(role)
    demand_own_account(user)
    with transaction.atomic():
        if role != User.Role.ADMIN:
            keep_an_admin(user)
        before, user.role = user.role, role
        if before == User.Role.ADMIN != role:
            user.admin_until = timezone.now()
        user.save(update_fields=["role", "admin_until"])
        note("role-changed", by=by, name=user.username, before=before, role=role)


def deactivate(user: User, *, by: User | None = None) -> None:
    """Close an account: its person can no longer log in, and nothing of their work is lost."""
    with transaction.atomic():
        keep_an_admin(user)
        user.is_active = False
        user.save(update_fields=["is_active"])
        note("account-closed", by=by, name=user.username)


def remove_account(user: User, *, by: User | None = None) -> bool:
    """Delete an account, or close it where work hangs on it; tells whether it was deleted.

    What counts as work is what the database protects: tasks, submissions, decisions, campaigns.
    The links that its person made end with it.
    """
    with transaction.atomic():
        keep_an_admin(user)
        user.created_links.all().delete()
        try:
            with transaction.atomic():
                user.delete()
        except ProtectedError:
            deactivate(user, by=by)
            return False
        note("account-removed", by=by, name=user.username)
    return True


def activate(user: User, *, by: User | None = None) -> None:
    """Open an account again, unless its person was erased."""
    if user.erased:
        raise UsageError(
            f"The person of the account {user.username} was erased, so it stays closed."
        )
    user.is_active = True
    user.save(update_fields=["is_active"])
    note("account-opened", by=by, name=user.username)


def set_password(user: User, password: str) -> None:
    """Change a password, which ends all sessions and tokens of the person."""
    store_password(user, hash_password(password, user.username), "password-changed")


@transaction.atomic
def store_password(user: User, hashed: str, verb: str) -> None:
    """Store a password that is hashed already; `verb` is what the audit trail says."""
    demand_own_account(user)
    user.password = hashed
    user.save(update_fields=["password"])
    user.tokens.all().delete()
    user.devices.all().delete()
    note(verb, by=user, name=user.username)


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


def demand_own_account(user: User) -> None:
    """Refuse what the account of a market's participant, or of a machine, cannot have."""
    if user.machine:
        raise NotAllowedError(
            f"{user.username!r} is a machine: its account can have no password, no address and no "
            "other role or campaign."
        )
    if user.from_market:
        raise NotAllowedError(
            gettext(
                "'%(name)s' takes part through a crowd market: the account has no password, no "
                "tokens and no other role or campaign."
            )
            % {"name": user.username}
        )


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


def keep_an_admin(user: User) -> None:
    """Refuse to take the rights from the only admin.

    All admins are locked until the transaction ends, so that two do not close each other.
    """
    admins = User.objects.select_for_update().filter(role=User.Role.ADMIN, is_active=True)
    if {admin.pk for admin in admins.order_by("pk")} == {user.pk}:
        raise UsageError(f"{user.username} is the only admin; make somebody else admin first.")

"""Where people get e-mail: an address that each may give, used once its owner has confirmed it.

A link is sent to the address, and nothing else until it has been followed. With a confirmed address
somebody who has forgotten the password gets a link for a new one; the page that asks for the name
says the same whether there is such an account or not.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import Link, MailAddress, User
from gistmark.web.accounts.people import demand_own_account
from gistmark.web.accounts.sign_in.attempts import count_attempt
from gistmark.web.accounts.sign_in.credentials import (
    LinkError,
    make_link,
    make_password_link,
    read_link,
)
from gistmark.web.config.start import whole_address
from gistmark.web.outbox.models import Delivery
from gistmark.web.outbox.queue import enqueue
from gistmark.web.outbox.senders import has_mail_server

LENGTH = 254
_CONFIRM_DAYS = 3
_RESET_DAYS = 1
_REMINDERS = Signer(salt="gistmark.reminders")


def queue_mail(
    to: str,
    subject: str,
    text: str,
    *,
    title: str,
    about: str = "",
    person: User | None = None,
    unsubscribe: str = "",
) -> None:
    """Put a mail into the outbox; `title` is what a list of deliveries calls it."""
    content = {"to": to, "subject": subject, "text": text, "unsubscribe": unsubscribe}
    number = None if person is None else person.pk
    enqueue(Delivery.Kind.MAIL, title, content, about=about, person=number)


def checked_address(address: str) -> str:
    """The address, or an error that says that it is not one."""
    address = address.strip()
    try:
        validate_email(address)
    except ValidationError:
        address = ""
    if not address or len(address) > LENGTH:
        raise UsageError(gettext("This is not an e-mail address, such as ada@example.org."))
    return address


def set_address(user: User, address: str, *, base: str) -> None:
    """Store an address and send a link to it; an earlier one is no longer used."""
    demand_own_account(user)
    address = checked_address(address)
    count_attempt(f"(mail {user.pk})", None)
    with transaction.atomic():
        user.links.filter(kind=Link.Kind.ADDRESS).delete()
        MailAddress.objects.update_or_create(
            user=user, defaults={"address": address, "verified_at": None}
        )
        made = make_link(Link.Kind.ADDRESS, user, _CONFIRM_DAYS, user=user)
        link = whole_address("address", made.secret, base=base)
        text = gettext(
            "Hello %(name)s,\n\nplease open this address to confirm that Gistmark may send you "
            "e-mail here:\n\n%(link)s\n\nIf you did not ask for this, ignore this mail."
        )
        subject = gettext("Confirm your e-mail address")
        text = text % {"name": user.username, "link": link}
        queue_mail(address, subject, text, title="confirm", person=user)


def read_address_link(secret: str) -> User:
    """Whose address a link confirms."""
    link = read_link(secret, Link.Kind.ADDRESS)
    if link.user is None or not MailAddress.objects.filter(user=link.user).exists():
        raise LinkError
    return link.user


def confirm_address(secret: str) -> User:
    """Use the address from now on; the link is then used up."""
    with transaction.atomic():
        link = read_link(secret, Link.Kind.ADDRESS, lock=True)
        changed = MailAddress.objects.filter(user=link.user).update(verified_at=timezone.now())
        if link.user is None or not changed:
            raise LinkError
        link.delete()
        note("address-confirmed", by=link.user, name=link.user.username)
    return link.user


def remove_address(user: User) -> None:
    """Forget somebody's address."""
    with transaction.atomic():
        user.links.filter(kind=Link.Kind.ADDRESS).delete()
        MailAddress.objects.filter(user=user).delete()


def address_of(user: User) -> MailAddress | None:
    """The address that somebody gave, confirmed or not."""
    return MailAddress.objects.filter(user=user).first()


def choose_mails(user: User, *, reminders: bool, digest: str) -> None:
    """Store which mails somebody wants."""
    wanted = digest if user.may_manage else MailAddress.Digest.NEVER
    MailAddress.objects.filter(user=user).update(reminders=reminders, digest=wanted)


def reminders_secret(user: User) -> str:
    """The secret in the link at the end of a reminder, which switches the reminders off."""
    return _REMINDERS.sign(str(user.pk))


def read_reminders_secret(secret: str) -> User:
    """Whose reminders a link switches off."""
    try:
        user = User.objects.filter(pk=int(_REMINDERS.unsign(secret)), is_active=True).first()
    except (BadSignature, ValueError):
        user = None
    if user is None:
        raise LinkError
    return user


def stop_reminders(secret: str) -> None:
    """Send somebody no more reminders."""
    MailAddress.objects.filter(user=read_reminders_secret(secret)).update(reminders=False)


def send_password_link(name: str, visitor: str | None, *, base: str) -> None:
    """Send a link for a new password, if there is such an account with a confirmed address.

    Whoever asks learns nothing; an account that has no password, or none to log in with, gets none.
    """
    count_attempt(f"(forgotten) {name}", visitor)
    if not has_mail_server():
        return
    try:
        user = User.objects.get_by_natural_key(name)
    except User.DoesNotExist:
        return
    known = MailAddress.objects.filter(user=user, verified_at__isnull=False).first()
    if known is None or not user.is_active or not user.has_usable_password():
        return
    with transaction.atomic():
        made = make_password_link(by=None, user=user, days=_RESET_DAYS)
        link = whole_address("password", made.secret, base=base)
        text = gettext(
            "Hello %(name)s,\n\nopen this address to set a new password; it is valid for a day:"
            "\n\n%(link)s\n\nIf you did not ask for this, ignore this mail: nothing has changed."
        )
        subject = gettext("A new password")
        text = text % {"name": user.username, "link": link}
        queue_mail(known.address, subject, text, title="password", person=user)

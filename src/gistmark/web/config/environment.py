"""What environment variables say: choices, numbers, secrets; the mail server and the provider.

A secret may stand in a file, which NAME_FILE names. Without a mail server the platform sends no
e-mail; without an OpenID Connect provider people log in with passwords alone.

GISTMARK_SMTP_HOST           the server; without it nothing is sent, and no page speaks of e-mail
GISTMARK_SMTP_TLS            `starttls`, `tls` from the first byte, or `none`
GISTMARK_SMTP_PORT           by default 587, 465 or 25, as the line above says
GISTMARK_SMTP_USER           the name to log in with, if there is one
GISTMARK_SMTP_PASSWORD_FILE  a file with its password (or GISTMARK_SMTP_PASSWORD)
GISTMARK_MAIL_FROM           the sender of mails, such as Gistmark <gistmark@uni.example>

GISTMARK_OIDC_ISSUER         the provider's issuer address; without it there is no such log-in
GISTMARK_OIDC_CLIENT_ID      what the provider calls this platform
GISTMARK_OIDC_CLIENT_SECRET  its secret, or GISTMARK_OIDC_CLIENT_SECRET_FILE names a file with it
GISTMARK_OIDC_NAME           what the button calls the provider
GISTMARK_OIDC_SCOPES         what is asked for; `openid profile email`
GISTMARK_OIDC_JOIN           who gets an account: `invited`, `matched` by a rule, or `anyone`
GISTMARK_OIDC_ROLES          rules CLAIM=VALUE:ROLE, separated by commas; `domain` is the claim of a
                             verified address, as in domain=uni.example:annotator
GISTMARK_OIDC_SECOND_FACTOR  `provider` where the provider asks for one itself
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from gistmark.errors import UsageError
from gistmark.runtime.files import user_path

LEAST_TOKEN = 24
_PORTS = {"starttls": 587, "tls": 465, "none": 25}
ROLES = ("annotator", "manager", "admin")
"""From the least to the most."""


def choice(name: str, *known: str) -> str:
    """One of a few words; the first is the default."""
    value = os.environ.get(name, "").strip().lower() or known[0]
    if value not in known:
        raise UsageError(f"{name} is {value!r}; it can be {', '.join(known)}.")
    return value


def number(name: str, usual: int, *, least: int, most: int) -> int:
    """A whole number between two bounds."""
    text = os.environ.get(name, "").strip()
    if not text:
        return usual
    if not text.isdecimal() or not least <= int(text) <= most:
        raise UsageError(f"{name} is {text!r}; it must be a whole number from {least} to {most}.")
    return int(text)


def secret(name: str) -> str:
    """A secret from the variable, or from the file that NAME_FILE names; empty without either."""
    file = os.environ.get(f"{name}_FILE", "").strip()
    if not file:
        return os.environ.get(name, "")
    try:
        return user_path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name}_FILE names {file}, which cannot be read: {error}.") from None


def token(name: str) -> str:
    """A secret that is long enough not to be guessed, or nothing."""
    value = secret(name).strip()
    if value and len(value) < LEAST_TOKEN:
        raise UsageError(f"{name} is too short; it needs {LEAST_TOKEN} characters or more.")
    return value


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mails are handed over, and whom they are from."""

    host: str
    port: int
    tls: str
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)


def mail_server_from_environment() -> MailServer | None:
    """The mail server, or None where no host is named."""
    host = os.environ.get("GISTMARK_SMTP_HOST", "").strip()
    if not host:
        return None
    tls = choice("GISTMARK_SMTP_TLS", *_PORTS)
    sender = os.environ.get("GISTMARK_MAIL_FROM", "").strip()
    if "@" not in parseaddr(sender)[1] or not sender.isprintable():
        raise UsageError(
            "GISTMARK_SMTP_HOST is set, so GISTMARK_MAIL_FROM must be the address that mails are "
            "sent from."
        )
    return MailServer(
        host=host,
        port=number("GISTMARK_SMTP_PORT", _PORTS[tls], least=1, most=65_535),
        tls=tls,
        sender=sender,
        user=os.environ.get("GISTMARK_SMTP_USER", ""),
        password=secret("GISTMARK_SMTP_PASSWORD"),
    )


@dataclass(frozen=True, slots=True)
class Rule:
    """Whoever has a claim with this value gets this role."""

    claim: str
    value: str
    role: str

    def holds_for(self, claims: Mapping[str, Any]) -> bool:
        """Whether somebody's claims have the value, alone or in a list."""
        if self.claim == "domain":
            return _verified_domain(claims) == self.value.lower()
        stated = claims.get(self.claim)
        values = stated if isinstance(stated, list) else [stated]
        return self.value in [value for value in values if isinstance(value, str)]


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider, what it knows this platform by, and who gets an account."""

    issuer: str
    client_id: str
    client_secret: str = field(default="", repr=False)
    name: str = "OpenID Connect"
    scopes: str = "openid profile email"
    join: str = "invited"
    rules: tuple[Rule, ...] = ()
    has_second_factor: bool = False

    def role_for(self, claims: Mapping[str, Any]) -> str | None:
        """The highest role that a rule gives; None where no rule holds."""
        roles = {rule.role for rule in self.rules if rule.holds_for(claims)}
        return max(roles, key=ROLES.index) if roles else None

    def role_without_invitation(self, claims: Mapping[str, Any]) -> str | None:
        """What somebody new becomes; None for those who need an invitation."""
        if self.join == "invited":
            return None
        return self.role_for(claims) or ("annotator" if self.join == "anyone" else None)


def provider_from_environment() -> Provider | None:
    """The provider, or None where no issuer is named."""
    issuer = os.environ.get("GISTMARK_OIDC_ISSUER", "").strip()
    if not issuer:
        return None
    client = os.environ.get("GISTMARK_OIDC_CLIENT_ID", "").strip()
    if not client:
        raise UsageError("GISTMARK_OIDC_ISSUER is set, so GISTMARK_OIDC_CLIENT_ID is needed too.")
    if not is_trustworthy(issuer):
        raise UsageError(f"GISTMARK_OIDC_ISSUER is {issuer!r}; it has to begin with https://.")
    scopes = os.environ.get("GISTMARK_OIDC_SCOPES", "").split() or ["openid", "profile", "email"]
    return Provider(
        issuer=issuer,
        client_id=client,
        client_secret=secret("GISTMARK_OIDC_CLIENT_SECRET"),
        name=os.environ.get("GISTMARK_OIDC_NAME", "").strip() or urlsplit(issuer).netloc,
        scopes=" ".join(dict.fromkeys(["openid", *scopes])),
        join=choice("GISTMARK_OIDC_JOIN", "invited", "matched", "anyone"),
        rules=read_rules(os.environ.get("GISTMARK_OIDC_ROLES", "")),
        has_second_factor=choice("GISTMARK_OIDC_SECOND_FACTOR", "platform", "provider")
        == "provider",
    )


def read_rules(text: str) -> tuple[Rule, ...]:
    """Rules such as `groups=staff:manager, domain=uni.example:annotator`."""
    return tuple(_read_rule(part.strip()) for part in text.split(",") if part.strip())


def is_trustworthy(address: str) -> bool:
    """Whether nobody can read along: TLS, or a server on this machine."""
    parts = urlsplit(address)
    if parts.scheme == "https" and parts.hostname:
        return True
    return parts.scheme == "http" and _is_this_machine(parts.hostname or "")


def _read_rule(text: str) -> Rule:
    condition, _, role = text.rpartition(":")
    claim, separator, value = condition.partition("=")
    if not separator or not claim.strip() or not value.strip() or role.strip() not in ROLES:
        raise UsageError(
            f"GISTMARK_OIDC_ROLES has {text!r}; a rule is CLAIM=VALUE:ROLE, and roles are "
            f"{', '.join(ROLES)}."
        )
    return Rule(claim.strip(), value.strip(), role.strip())


def _verified_domain(claims: Mapping[str, Any]) -> str | None:
    address = claims.get("email")
    if claims.get("email_verified") is not True or not isinstance(address, str):
        return None
    return address.rpartition("@")[2].lower()


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

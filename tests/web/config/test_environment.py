"""The provider by environment variables: what is needed, what is refused, and the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.errors import UsageError
from gistmark.web.config.environment import (
    Provider,
    Rule,
    is_trustworthy,
    provider_from_environment,
    read_rules,
)


@pytest.fixture
def issuer(monkeypatch):
    monkeypatch.setenv("GISTMARK_OIDC_ISSUER", "https://login.uni.example/realm")
    monkeypatch.setenv("GISTMARK_OIDC_CLIENT_ID", "gistmark")


def test_without_an_issuer_there_is_none(monkeypatch):
    monkeypatch.delenv("GISTMARK_OIDC_ISSUER", raising=False)
    assert provider_from_environment() is None


def test_issuer_and_client_suffice(issuer):
    assert provider_from_environment() == Provider(
        "https://login.uni.example/realm", "gistmark", name="login.uni.example"
    )


def test_the_secret_may_stand_in_a_file_and_shows_nowhere(issuer, monkeypatch, tmp_path: Path):
    (tmp_path / "secret").write_text("abc123\n")
    monkeypatch.setenv("GISTMARK_OIDC_CLIENT_SECRET_FILE", str(tmp_path / "secret"))
    provider = provider_from_environment()
    assert provider.client_secret == "abc123"
    assert "abc123" not in repr(provider)


def test_openid_is_always_asked_for(issuer, monkeypatch):
    monkeypatch.setenv("GISTMARK_OIDC_SCOPES", "email groups")
    assert provider_from_environment().scopes == "openid email groups"


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("GISTMARK_OIDC_CLIENT_ID", "", "GISTMARK_OIDC_CLIENT_ID is needed"),
        ("GISTMARK_OIDC_ISSUER", "http://login.uni.example", "begin with https://"),
        ("GISTMARK_OIDC_JOIN", "everyone", "it can be invited, matched, anyone"),
        ("GISTMARK_OIDC_SECOND_FACTOR", "yes", "it can be platform, provider"),
        ("GISTMARK_OIDC_ROLES", "groups=staff", "a rule is CLAIM=VALUE:ROLE"),
        ("GISTMARK_OIDC_ROLES", "groups=staff:boss", "roles are annotator, manager, admin"),
        ("GISTMARK_OIDC_CLIENT_SECRET_FILE", "/nowhere/at/all", "cannot be read"),
    ],
)
def test_what_cannot_be_is_told_with_its_variable(issuer, monkeypatch, name, value, sentence):
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=sentence):
        provider_from_environment()


@pytest.mark.parametrize(
    ("address", "trusted"),
    [
        ("https://x.example", True),
        ("http://x.example", False),
        ("http://127.0.0.1:8080/x", True),
        ("http://localhost", True),
        ("http://127.0.0.1.evil.example", False),
        ("ftp://127.0.0.1", False),
        ("https://", False),
        ("x.example", False),
    ],
)
def test_only_tls_and_this_machine_are_trusted(address: str, trusted: bool):
    assert is_trustworthy(address) is trusted


def test_a_value_may_have_a_colon_and_the_highest_role_counts():
    rules = read_rules("entitlement=urn:x:staff:manager, groups=all:annotator, groups=root:admin,")
    assert rules[0] == Rule("entitlement", "urn:x:staff", "manager")
    provider = Provider("https://x.example", "x", join="matched", rules=rules)
    claims = {"entitlement": "urn:x:staff", "groups": ["all"]}
    assert provider.role_for(claims) == "manager"
    assert provider.role_for({"groups": [7, None, {"all": 1}]}) is None
    assert provider.role_without_invitation({}) is None

"""`gistmark check --deploy` names what is not safe, and is silent about what is."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone

from gistmark.web.accounts.models import SecondFactor
from gistmark.web.campaigns.services.campaigns import change_settings
from gistmark.web.config.environment import MailServer
from gistmark.web.config.storage import encryption
from gistmark.web.config.storage.backups import last_backup, note_backup
from gistmark.web.operations import checking
from gistmark.web.operations.checking import (
    Finding,
    file_system,
    installation_findings,
    migration_findings,
    stored_findings,
    worker_findings,
)
from web.factories import make_campaign, make_user

SQLITE, POSTGRES = "django.db.backends.sqlite3", "django.db.backends.postgresql"
NOW = 1_800_000_000.0


def settings_with(**changes):
    safe = {
        "DEBUG": False,
        "SECURE_SSL_REDIRECT": True,
        "ALLOWED_HOSTS": ["rate.example.org"],
        "DATABASES": {"default": {"ENGINE": SQLITE}},
        "SECOND_FACTOR_REQUIRED": False,
        "MAIL": None,
        "ADDRESS": "",
    }
    return SimpleNamespace(**safe | changes)


@pytest.fixture
def folder(tmp_path):
    safe = tmp_path / "data"
    safe.mkdir(mode=0o700)
    for name in ("secret-key", "encryption-key", "gistmark.sqlite3"):
        (safe / name).touch(mode=0o600)
    return safe


def names(findings):
    listed = list(findings)
    assert all(each.what and each.why and each.how for each in listed)
    return [each.name for each in listed]


def of_installation(folder, environment=None, now=NOW, **changes):
    environment = {"GISTMARK_DATA": "/data"} if environment is None else environment
    return names(installation_findings(settings_with(**changes), environment, folder, now=now))


def test_nothing_is_said_about_a_safe_installation(folder):
    assert of_installation(folder) == []


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        ("debug", {"DEBUG": True}),
        ("https", {"SECURE_SSL_REDIRECT": False}),
        ("hosts", {"ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"]}),
        ("any-host", {"ALLOWED_HOSTS": ["*"]}),
    ],
)
def test_an_unsafe_setting_is_named(expected, changes, folder):
    assert of_installation(folder, **changes) == [expected]


def test_unencrypted_mails_and_guessed_links_are_named(folder):
    server = MailServer("mail.uni.example", 25, "none", "gistmark@uni.example")
    assert of_installation(folder, MAIL=server) == ["mail-encryption", "mail-address"]
    local, known = replace(server, host="127.0.0.1"), {"ADDRESS": "https://rate.example.org"}
    assert of_installation(folder, MAIL=local, **known) == []
    assert of_installation(folder, MAIL=replace(server, tls="starttls"), **known) == []


def test_a_data_folder_that_depends_on_where_one_stands_is_named(folder):
    assert of_installation(folder, environment={}) == ["data-folder"]


def test_a_clock_of_long_ago_is_named(folder):
    assert of_installation(folder, now=1_000_000_000.0) == ["clock"]


def test_what_others_may_read_is_named(folder):
    folder.chmod(0o755)
    (folder / "secret-key").chmod(0o644)
    assert of_installation(folder) == ["folder-permissions", "file-permissions"]


def test_a_full_disk_and_sqlite_on_a_network_folder_are_named(folder, monkeypatch):
    monkeypatch.setattr(checking, "_mounts", lambda: f"host:/x {folder} nfs4 rw 0 0\n")
    assert of_installation(folder) == ["network-folder"]
    assert of_installation(folder, DATABASES={"default": {"ENGINE": POSTGRES}}) == []
    monkeypatch.setattr(checking, "_LEAST_FREE", 2**62)
    assert of_installation(folder) == ["disk", "network-folder"]


def test_the_file_system_is_that_of_the_innermost_mount():
    mounts = "/dev/a / ext4 rw 0 0\nhost:/srv /srv nfs4 rw 0 0\n/dev/b /srv/my\\040data xfs rw\n"
    assert file_system(Path("/home"), mounts) == "ext4"
    assert file_system(Path("/srv/gistmark"), mounts) == "nfs4"
    assert file_system(Path("/srv/my data/gistmark"), mounts) == "xfs"
    assert file_system(Path("/srvx"), mounts) == "ext4"


def test_many_processes_are_for_postgresql():
    assert names(worker_findings(8, SQLITE)) == ["workers"]
    assert names(worker_findings(4, SQLITE)) == names(worker_findings(64, POSTGRES)) == []


def test_tables_of_an_earlier_version_are_named():
    assert names(migration_findings(0)) == []
    assert names(migration_findings(3)) == ["migrations"]


@pytest.mark.django_db
class TestStored:
    """What the database holds."""

    @pytest.fixture
    def admin(self):
        return make_user("admin")

    def found(self, folder, **changes):
        settings = settings_with(**changes)
        return names(stored_findings(settings, folder, now=timezone.now(), backup_days=2))

    def test_admins_without_a_second_factor_are_counted(self, admin, folder):
        note_backup(folder)
        assert self.found(folder) == ["second-factor"]
        assert self.found(folder, SECOND_FACTOR_REQUIRED=True) == []
        secret = encryption.encrypt("secret")
        SecondFactor.objects.create(user=admin, secret=secret, confirmed_at=timezone.now())
        assert self.found(folder) == []

    def test_a_platform_without_an_admin_is_named(self, folder):
        note_backup(folder)
        assert self.found(folder) == ["no-admin"]

    def test_backups_are_missed_after_some_days(self, admin, folder):
        assert self.found(folder, SECOND_FACTOR_REQUIRED=True) == ["backups"]
        note_backup(folder)
        assert last_backup(folder) - timezone.now() < timedelta(minutes=1)
        assert self.found(folder, SECOND_FACTOR_REQUIRED=True) == []
        old = timezone.now() - timedelta(days=3)
        (folder / "last-backup").write_text(old.isoformat())
        assert self.found(folder, SECOND_FACTOR_REQUIRED=True) == ["backups"]
        (folder / "last-backup").write_text("yesterday")
        assert self.found(folder, SECOND_FACTOR_REQUIRED=True) == ["backups"]

    def test_campaigns_that_anybody_may_join_are_named(self, admin, folder):
        note_backup(folder)
        campaign = make_campaign(owner=admin, name="Open to all")
        assert self.found(folder, SECOND_FACTOR_REQUIRED=True) == []
        change_settings(campaign, admin, registration_open=True)
        assert self.found(folder, SECOND_FACTOR_REQUIRED=True) == ["open-registration"]

    def test_secrets_of_a_lost_key_are_counted(self, admin, folder, settings):
        note_backup(folder)
        secret = encryption.encrypt("secret")
        SecondFactor.objects.create(user=admin, secret=secret, confirmed_at=timezone.now())
        assert self.found(folder) == []
        settings.ENCRYPTION_KEYS = ["A" * 43 + "="]
        assert self.found(folder) == ["encryption-key"]


def test_a_finding_is_three_sentences():
    assert str(Finding("x", "It is so.", "That is bad.", "Do this.")) == (
        "It is so. That is bad. Do this."
    )

"""What all tests share: the papers' released data, and how hypothesis runs."""

from __future__ import annotations

import gc
import itertools
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from threadpoolctl import threadpool_limits

from blank_figures import figures_left_blank
from gistmark.models import models_folder

if TYPE_CHECKING:
    from web.crowd.market import Market
    from web.crowd.market_server import Served

# Few examples of every property, the same ones each time; `make test-long` draws many others.
settings.register_profile("few", deadline=None, max_examples=10, derandomize=True)
settings.register_profile("many", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("GISTMARK_EXAMPLES") or "few")

# Tests move GISTMARK_CACHE; the models stay where `gistmark models get` put them.
os.environ.setdefault("GISTMARK_MODELS", str(models_folder()))
# Test files run side by side, so models and linear algebra use one core each; more threads would
# mostly wait for each other. The environment variables are for libraries that are loaded later and
# for processes that tests start, `threadpool_limits` is for libraries that are loaded already.
os.environ.setdefault("GISTMARK_THREADS", "1")
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
threadpool_limits(1)


pytest_plugins = ["workers"]


def pytest_worker_begins(folder: Path) -> None:
    """Prepare no exports where another worker does."""
    from django.conf import settings

    settings.EXPORTS_FOLDER = folder / "exports"


def pytest_collection_finish() -> None:
    """Exempt the thousands of collected tests from garbage collection: they stay to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)


@pytest.fixture(scope="session", autouse=True)
def flush_without_triggers() -> None:
    """Drop SQLite's triggers while tables are emptied: they forbid deleting rows."""
    try:
        from django.db.backends.sqlite3.operations import DatabaseOperations
    except ImportError:
        return
    flush = DatabaseOperations.execute_sql_flush

    def execute_sql_flush(self: DatabaseOperations, sql_list: list[str]) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
            flush(self, sql_list)
            for _, statement in triggers:
                cursor.execute(statement)

    DatabaseOperations.execute_sql_flush = execute_sql_flush


@pytest.fixture(scope="session", autouse=True)
def flush_without_permissions() -> None:
    """Do not create Django's own permissions anew after each flush; the platform has its own."""
    try:
        from django.core.management.commands import flush
    except ImportError:
        return
    flush.emit_post_migrate_signal = lambda *_, **__: None


@pytest.fixture(scope="session", autouse=True)
def flush_by_deleting() -> None:
    """Empty PostgreSQL's tables with DELETE: few have rows, and TRUNCATE makes files for all."""
    if not os.environ.get("GISTMARK_TEST_DATABASE"):
        return
    from django.db.backends.postgresql.operations import DatabaseOperations

    truncate = DatabaseOperations.sql_flush

    def sql_flush(
        self: DatabaseOperations, style: Any, tables: list[str], **options: bool
    ) -> list[str]:
        with self.connection.cursor() as cursor:
            cursor.execute("SHOW is_superuser")  # only a superuser may skip triggers
            if options.get("reset_sequences") or cursor.fetchone() != ("on",):
                return truncate(self, style, tables, **options)
        role = "SET LOCAL session_replication_role"
        deleted = [f"DELETE FROM {self.quote_name(table)}" for table in tables]
        return [f"{role} = replica", *deleted, f"{role} = DEFAULT"]

    DatabaseOperations.sql_flush = sql_flush


@pytest.fixture(scope="module", autouse=True)
def repeatable_campaigns() -> Iterator[None]:
    """Count names and seeds from the start in each file, so its tasks are the same in every run."""
    from web import factories

    seeds = itertools.count(1_706_352_911)  # a number that is in no text
    chance = SimpleNamespace(token_hex=secrets.token_hex, randbelow=lambda _: next(seeds))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(factories, "_NUMBERS", itertools.count(1))
        patch.setattr("gistmark.web.campaigns.models.secrets", chance)
        yield


@pytest.fixture(scope="session", autouse=True)
def embed_fonts_quickly() -> None:
    """Skip font tables that no PDF uses; parsing them takes a third of matplotlib's time."""
    try:
        from fontTools.subset import Options
    except ImportError:
        return
    Options._drop_tables_default = [*Options._drop_tables_default, "GSUB", "GPOS", "GDEF"]


@pytest.fixture
def blank_figures() -> Iterator[None]:
    """Leave the figures of reports blank, because drawing them takes most of the time."""
    with figures_left_blank():
        yield


@pytest.fixture(scope="session")
def paper_data() -> Path:
    """The folder of the papers' released data, which is not part of the project."""
    named = os.environ.get("GISTMARK_PAPER_DATA")
    folder = Path(named) if named else Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the papers' released data are not in {folder}; set GISTMARK_PAPER_DATA")
    return folder


@pytest.fixture
def market_at_start() -> Market | None:
    """The market to serve; None means a new one. Files with a shared study override this."""
    return None


@pytest.fixture
def served(request: pytest.FixtureRequest, market_at_start: Market | None) -> Iterator[Served]:
    """A running crowd market; the platform's settings have its address."""
    from web.crowd.market_server import serving

    with serving(market_at_start) as each:
        request.getfixturevalue("settings").PROLIFIC_URL = each.address
        yield each


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Keep the file that `django_db_modify_db_settings` copies; on PostgreSQL create a database."""
    return not os.environ.get("GISTMARK_TEST_DATABASE")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_keepdb: bool, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    """Start with a database that is up to date: a copy of a file, or of a template."""
    from django.conf import settings

    from web.migrated import copy_to, migrated_template

    test = settings.DATABASES["default"]["TEST"]
    if django_db_keepdb:
        copy_to(Path(test["NAME"]))
    else:
        test["TEMPLATE"] = migrated_template(os.environ["GISTMARK_TEST_DATABASE"])

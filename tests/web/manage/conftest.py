"""A browser in which a manager is logged in."""

from __future__ import annotations

import pytest


@pytest.fixture
def client(log_in, manager):
    return log_in(manager)

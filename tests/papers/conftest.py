"""What the tests of the papers share: a cache of their own, so that none finds another's scores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GISTMARK_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield

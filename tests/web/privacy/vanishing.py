"""Erases somebody on a database of its own and writes a backup: `python -m web.privacy.vanishing`.

Prints where the words still stand in the database.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import django


def main(backup: str) -> dict[str, object]:
    from gistmark.web.config.start import apply_migrations
    from gistmark.web.config.storage.backups import make_backup
    from gistmark.web.privacy.erasure import erase
    from web.privacy.living import make_world, traces

    apply_migrations()
    world = make_world()
    before = len(traces())
    erased = erase(world.person, by=None)
    make_backup(Path(backup))
    return {"before": before, "after": traces(), "overwritten": erased.overwritten}


if __name__ == "__main__":
    django.setup()
    print(json.dumps(main(sys.argv[1])))

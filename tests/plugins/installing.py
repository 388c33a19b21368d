"""Plugins as pip would install them."""

from __future__ import annotations

import runpy
from pathlib import Path

from gistmark.metrics.catalogue import METRICS

BUILT_IN = list(METRICS._builtin)
install = runpy.run_path(str(Path(__file__).parents[1] / "sample_plugin" / "install.py"))["install"]


def distribution(folder: Path, name: str, entry_points: str, **modules: str) -> Path:
    """Lay down an installed distribution: modules, and the metadata that pip would write."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)
    for module, code in modules.items():
        (folder / f"{module}.py").write_text(code)
    return folder


FINE = """
import numpy as np
from gistmark.metrics import Metric, Values


class Fine(Metric):
    family = "fine"
    about = "Always one."
    needs = frozenset()

    def score(self, batch):
        return Values(np.ones((len(batch), 1)))
"""

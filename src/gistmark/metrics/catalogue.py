"""All metrics by name, what each name fixes, and how `name:option=value,...` is read.

Among the groups are the forty metrics of the EMFoS thesis, in the order of its Tables 5.1 to 5.6:
ROUGE with stemming and without a model; the cosine of five sentence encoders, of the [CLS] vectors
of two encoders, and of five averages of word vectors; BERTScore with 21 models; and Word Mover's
Distance with four kinds of word vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gistmark.errors import UsageError, unknown_name
from gistmark.metrics.metric import Metric
from gistmark.metrics.options import language_settings
from gistmark.options import settings_from
from gistmark.registry import Registry
from gistmark.signature import Signature
from gistmark.text.languages import ENGLISH

EMFOS40 = (
    "rouge1:stem=yes", "rouge2:stem=yes", "rougeL:stem=yes",
    *(
        f"sentence-cosine:model=sentence-transformers/{name}"
        for name in (
            "sentence-t5-xl", "sentence-t5-large", "multi-qa-MiniLM-L6-cos-v1",
            "distiluse-base-multilingual-cased-v1", "paraphrase-MiniLM-L6-v2",
        )
    ),
    *(f"cls-cosine:model={name}" for name in ("bert-base-uncased", "roberta-base")),
    *(
        f"bertscore:model={name}"
        for name in (
            "bert-base-uncased", "bert-large-uncased", "bert-base-cased-finetuned-mrpc",
            "roberta-base", "roberta-large", "roberta-large-mnli",
            "facebook/bart-base", "facebook/bart-large", "facebook/bart-large-cnn",
            "facebook/bart-large-mnli", "facebook/bart-large-xsum",
            "t5-small", "t5-base", "t5-large",
            "microsoft/deberta-base", "microsoft/deberta-base-mnli",
            "microsoft/deberta-large", "microsoft/deberta-large-mnli",
            "microsoft/deberta-xlarge", "microsoft/deberta-xlarge-mnli",
            "google/pegasus-xsum",
        )
    ),
    *(
        f"wordvec-cosine:vectors={name}"
        for name in (
            "en_core_web_sm", "en_core_web_md", "en_core_web_lg",
            "word2vec-google-news-300,tok=space,letters=yes,known=0",
            "glove-twitter-25,tok=space,letters=yes,known=0",
        )
    ),
    *(
        f"wmd:vectors={name}"
        for name in (
            "en_core_web_md", "en_core_web_lg", "word2vec-google-news-300", "glove-twitter-25",
        )
    ),
)  # fmt: skip

_ROUGE = "gistmark.metrics.lexical.rouge"
_HROUGE = "gistmark.metrics.lexical.hrouge"
_DIVERGENCE = "gistmark.metrics.lexical.divergence"
_STATISTICS = "gistmark.metrics.lexical.statistics"
_WORD_VECTORS = "gistmark.metrics.embedding.word_vectors"

_LEXICAL = {
    "rouge1": f"{_ROUGE}:RougeN",
    "rouge2": f"{_ROUGE}:RougeN",
    "rouge3": f"{_ROUGE}:RougeN",
    "rouge4": f"{_ROUGE}:RougeN",
    "rougeL": f"{_ROUGE}:RougeL",
    "rougeLsum": f"{_ROUGE}:RougeLsum",
    "rougeW": f"{_ROUGE}:RougeW",
    "rougeS4": f"{_ROUGE}:RougeS",
    "rougeSU4": f"{_ROUGE}:RougeS",
    "hrouge1": f"{_HROUGE}:HRouge",
    "hrouge2": f"{_HROUGE}:HRouge",
    "hrouge3": f"{_HROUGE}:HRouge",
    "hrouge4": f"{_HROUGE}:HRouge",
    "highlight-overlap": f"{_HROUGE}:HighlightOverlap",
    "kl": f"{_DIVERGENCE}:Kl",
    "kl-reverse": f"{_DIVERGENCE}:KlReverse",
    "js": f"{_DIVERGENCE}:Js",
    "js-kl": f"{_DIVERGENCE}:JsKl",
    "chars": f"{_STATISTICS}:Chars",
    "words": f"{_STATISTICS}:Words",
    "sentences": f"{_STATISTICS}:Sentences",
    "compression": f"{_STATISTICS}:Compression",
    "coverage": f"{_STATISTICS}:Coverage",
    "density": f"{_STATISTICS}:Density",
    "novel1": f"{_STATISTICS}:Novel",
    "novel2": f"{_STATISTICS}:Novel",
    "novel3": f"{_STATISTICS}:Novel",
    "novel4": f"{_STATISTICS}:Novel",
    "repeated1": f"{_STATISTICS}:Repeated",
    "repeated2": f"{_STATISTICS}:Repeated",
    "repeated3": f"{_STATISTICS}:Repeated",
    "repeated4": f"{_STATISTICS}:Repeated",
}
_ON_WORD_VECTORS = {
    "wordvec-cosine": f"{_WORD_VECTORS}:WordVectorCosine",
    "wmd": f"{_WORD_VECTORS}:WordMoversDistance",
}
_NEURAL = {
    "pyramid": "gistmark.metrics.content_units.pyramid:Pyramid",
    "blanc-help": "gistmark.metrics.language_model.blanc_help:BlancHelp",
    "blanc-tune": "gistmark.metrics.language_model.blanc_tune:BlancTune",
    "blanc-shannon": "gistmark.metrics.language_model.shannon:BlancShannon",
    "shannon": "gistmark.metrics.language_model.shannon:Shannon",
    "info-diff": "gistmark.metrics.language_model.shannon:InfoDiff",
    "bertscore": "gistmark.metrics.embedding.bertscore:BertScore",
    "mover-score": "gistmark.metrics.embedding.mover_score:MoverScore",
    "sentence-cosine": "gistmark.metrics.embedding.text_cosine:SentenceCosine",
    "cls-cosine": "gistmark.metrics.embedding.text_cosine:ClsCosine",
    "sentence-match": "gistmark.metrics.embedding.sentence_match:SentenceMatch",
}

_LEARNT = {
    "gistmark-1": "gistmark.metrics.learnt.metric:Gistmark1",
    "learnt": "gistmark.metrics.learnt.metric:Learnt",
}

_JUDGES = {"judge": "gistmark.judges.metric:JudgeMetric"}

METRICS: Registry[type[Metric]] = Registry(
    "metric",
    "gistmark.metrics",
    {**_LEXICAL, **_ON_WORD_VECTORS, **_NEURAL, **_LEARNT, **_JUDGES},
    base=Metric,
)

FIXED: Mapping[str, Mapping[str, Any]] = {
    **{
        f"{name}{n}": {"n": n}
        for name in ("rouge", "hrouge", "novel", "repeated")
        for n in (1, 2, 3, 4)
    },
    "rougeS4": {"gap": 4, "unigrams": False},
    "rougeSU4": {"gap": 4, "unigrams": True},
}
"""Options that a name settles by itself."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "default": (
        "rouge1", "rouge2", "rougeL", "rougeLsum", "hrouge1", "hrouge2", "highlight-overlap",
        "js", "words", "compression", "coverage", "density", "novel2", "repeated2",
    ),
    "rouge": ("rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum", "rougeW", "rougeS4",
              "rougeSU4"),
    "lexical": tuple(_LEXICAL),
    "word-vectors": tuple(_ON_WORD_VECTORS),
    "neural": (*(name for name in _NEURAL if name != "blanc-tune"), "gistmark-1"),
    "reference-free": (
        "js", "blanc-help", "blanc-shannon", "shannon", "info-diff",
        "sentence-cosine:against=document", "bertscore:against=document", "gistmark-1",
    ),
    "emfos40": EMFOS40,
    "dip-sumeval": (
        *(f"{name}:against=document" for name in (
            "rouge1", "rouge2", "rougeLsum", "rougeW", "pyramid",
        )),
        "js", "kl", "kl-reverse",
    ),
}  # fmt: skip
"""Names that stand for several metrics: the usual ones, those of ROUGE, those without a model, on
word vectors and on neural models (but for BLANC-tune, which takes minutes where others take
seconds), those that judge a summary by its document alone, those of the EMFoS thesis, and those of
DIP-SumEval's Figure 3, for which the documents of a topic are the reference."""


def metrics_from(specs: list[str] | tuple[str, ...], lang: str = ENGLISH) -> dict[str, Metric]:
    """The metrics that the specs ask for, by the name as given; groups are expanded."""
    expanded = [name for spec in specs for name in GROUPS.get(spec, (spec,))]
    variants: list[str] = []
    for spec in expanded:
        name, _ = METRICS.split(spec, GROUPS)
        variants += METRICS.get(name).variants(spec)
    return {spec: metric_from(spec, lang) for spec in variants}


def metric_from(spec: str, lang: str = ENGLISH) -> Metric:
    """The metric of a spec such as `rougeL` or `rougeL:stem=yes,refs=mean`.

    Options that the spec does not set are those for texts in the language `lang`.
    """
    name, settings = METRICS.split(spec, GROUPS)
    kind = METRICS.get(name)
    fixed = FIXED.get(name, {})
    explicit = settings_from(name, settings, kind.Options, fixed=fixed)
    with METRICS.naming_plugin(name):
        try:
            by_language = language_settings(kind.Options, explicit, lang)
            return kind(kind.Options(**{**fixed, **by_language, **explicit}))
        except UsageError as error:
            raise UsageError(f"{name}: {error}") from None


def metric_from_signature(text: str) -> Metric:
    """The metric with the options that a signature records, such as one beside a file of scores.

    The versions of the code are not compared. Of a file of vectors, texts or baselines a signature
    records only the name, so it is looked for in the current folder. A signature for documents in
    several languages stands for several metrics, and is an error.
    """
    signature = Signature.parse(text)
    for name in METRICS:
        kind = METRICS.get(name)
        if kind.family == signature.family:
            with METRICS.naming_plugin(name):
                return kind.from_signature(signature)
    families = tuple(dict.fromkeys(METRICS.get(name).family for name in METRICS))
    raise unknown_name("metric with the signature", signature.family, families)

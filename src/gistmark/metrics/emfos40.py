"""The forty metrics of the EMFoS thesis, in the order of its Tables 5.1 to 5.6.

ROUGE with stemming and without a model; the cosine of five sentence encoders, of the [CLS]
vectors of two encoders, and of five averages of word vectors; BERTScore with 21 models; and Word
Mover's Distance with four kinds of word vectors.
"""

from __future__ import annotations

ROUGE = ("rouge1:stem=yes", "rouge2:stem=yes", "rougeL:stem=yes")

SENTENCE_ENCODERS = tuple(
    f"sentence-cosine:model=sentence-transformers/{name}"
    for name in (
        "sentence-t5-xl", "sentence-t5-large", "multi-qa-MiniLM-L6-cos-v1",
        "distiluse-base-multilingual-cased-v1", "paraphrase-MiniLM-L6-v2",
    )
)  # fmt: skip

CLS_VECTORS = tuple(f"cls-cosine:model={name}" for name in ("bert-base-uncased", "roberta-base"))

BERTSCORE = tuple(
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
)  # fmt: skip

AVERAGED_VECTORS = tuple(
    f"wordvec-cosine:vectors={name}"
    for name in (
        "en_core_web_sm", "en_core_web_md", "en_core_web_lg", "word2vec-google-news-300",
        "glove-twitter-25",
    )
)  # fmt: skip

MOVERS_DISTANCES = tuple(
    f"wmd:vectors={name}"
    for name in ("en_core_web_md", "en_core_web_lg", "word2vec-google-news-300", "glove-twitter-25")
)

EMFOS40 = (
    *ROUGE, *SENTENCE_ENCODERS, *CLS_VECTORS, *BERTSCORE, *AVERAGED_VECTORS, *MOVERS_DISTANCES,
)  # fmt: skip

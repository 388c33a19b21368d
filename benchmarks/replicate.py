"""The papers' studies from design to table, done by simulated annotators whose truth is known.

Each study has a made-up corpus of its paper's size; a preset asks for judgements of it, people of
the rulebook (`gistmark.judgements`) get tasks as on the platform and do them, their campaigns are
combined, and `gistmark.study` makes the tables. What is true is known, so a table is held against
it, and so is the balance of the design.

    python replicate.py [highres] [dip-sumeval] [emfos]

- highres: 10 annotators highlight each of 50 documents; three campaigns about content with 3 judges
  a summary, the references among the summaries, and one about fluency and one about clarity.
- dip-sumeval: 49 topics; five systems with four judges and two with three, one summary of a topic
  for each of 26 annotators; then 21 pairs of seven systems a topic, 7 votes, a criterion a task.
- emfos: one system's summaries beside references, two sets of reviewers, ROUGE against HS1 to HS3.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

import gistmark
from gistmark.analysis.studies.options import StudyOptions
from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.judgements import (
    Answer,
    Knowledge,
    Result,
    Style,
    Task,
    Texts,
    Verdict,
    allocate,
    assemble,
    balance,
    check,
    claim,
    configured,
    get_protocol,
    items_from,
    knowledge_from,
    make_slots,
    payload,
    propose_missing_planted,
    read_answer,
    records_from,
    simulate,
    submit,
)
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.records import Document, Planted, Question, Rating, Summary
from gistmark.text.sentences import sentences

SEED = 1
ONSETS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z")
VOWELS = ("a", "e", "i", "o", "u", "ai", "or", "en")


@dataclass(frozen=True)
class Campaign:
    """A campaign that was done: its tasks with their answers, and how many were not accepted."""

    name: str
    protocol: Protocol
    results: tuple[Result, ...]
    refused: int

    @property
    def documents_met(self) -> Counter[tuple[str, str]]:
        """How many items of a document each annotator had, by annotator and document."""
        return Counter(
            (result.task.annotator, entry.document)
            for result in self.results
            for entry in result.task.entries
            if entry.document is not None and entry.planted is None
        )


def run_campaign(
    corpus: Corpus,
    protocol: Protocol,
    people: Sequence[str],
    knowledge: Knowledge,
    *,
    name: str,
    style: Style = "careful",
) -> Campaign:
    """All tasks of a protocol shared out among people, and done."""
    items = items_from(corpus, protocol)
    by_id, texts = items.by_id(), Texts.of(corpus)
    slots = {slot.id: slot for slot in make_slots(items.items, protocol, seed=SEED)}
    results: list[Result] = []
    refused = 0
    while any(slot.state == "open" for slot in slots.values()):
        allocation = allocate(tuple(slots.values()), people, seed=SEED)
        if allocation.unallocated:
            raise RuntimeError(f"{name}: {allocation.unallocated[0].reason}")
        for person, slot_ids in allocation.slots.items():
            for slot_id in slot_ids:
                slot = claim(slots[slot_id], person)
                task = assemble(
                    slot, person, by_id, protocol, seed=SEED,
                    questions=corpus.questions, planted=corpus.planted, corpus=corpus,
                )  # fmt: skip
                result, verdict = work(task, protocol, corpus, knowledge, style, texts)
                slots[slot_id] = submit(slot, verdict=verdict, open_slots=0).slot
                if verdict == "counts":
                    results.append(result)
                    continue
                refused += 1
                batch = [each for each in slots.values() if each.batch == slot.batch]
                added = balance(batch, protocol.judges).added
                slots |= {each.id: each for each in added}
    return Campaign(name, protocol, tuple(results), refused)


def work(
    task: Task, protocol: Protocol, corpus: Corpus, knowledge: Knowledge, style: Style, texts: Texts
) -> tuple[Result, Verdict]:
    """The answer of one simulated annotator, and the verdict of the protocol's checks."""
    sent = simulate(
        payload(task, protocol, corpus), style, knowledge, seed=SEED, annotator=task.annotator,
        minimum_seconds=protocol.minimum_seconds,
    )  # fmt: skip
    answer: Answer = read_answer(sent.answer, protocol, task, texts=texts)
    return Result(task, answer), check(protocol, task, answer, elapsed=sent.seconds).verdict


# Made-up texts.


def made_up_corpus(
    documents: int, systems: Sequence[str], *, reference: bool, length: int = 8, words: int = 12
) -> Corpus:
    """Documents of made-up words, each with a summary by every system and perhaps a reference."""
    rng = np.random.default_rng(SEED)
    vocabulary = sorted({made_up_word(rng) for _ in range(1500)})
    texts, summaries = [], []
    for number in range(documents):
        name = f"d{number:02}"
        lines = [made_up_sentence(rng, vocabulary, words) for _ in range(length)]
        texts.append(Document(name, (" ".join(lines),), title=lines[0]))
        writers = [*systems, *(["reference"] if reference else [])]
        summaries += [
            Summary(
                name,
                writer,
                made_up_sentence(rng, vocabulary, words),
                reference=writer == "reference",
            )
            for writer in writers
        ]
    return Corpus(tuple(texts), tuple(summaries))


def made_up_word(rng: np.random.Generator) -> str:
    syllables = 1 + int(rng.integers(3))
    return "".join(
        ONSETS[rng.integers(len(ONSETS))] + VOWELS[rng.integers(len(VOWELS))]
        for _ in range(syllables)
    )


def made_up_sentence(rng: np.random.Generator, vocabulary: Sequence[str], words: int) -> str:
    picked = [vocabulary[index] for index in rng.integers(0, len(vocabulary), words)]
    return f"{' '.join(picked).capitalize()} {int(rng.integers(2, 900))} times."


# What a study comes to.


@dataclass(frozen=True)
class Row:
    """A cell of a table: what is true, what the study made of it, and how far it may be off."""

    table: str
    cell: str
    truth: float
    value: float
    tolerance: float

    @property
    def holds(self) -> bool:
        return abs(self.value - self.truth) <= self.tolerance


def combined(corpus: Corpus, campaigns: Sequence[Campaign]) -> Corpus:
    """The corpus with the judgements of all campaigns, each record with its campaign's name."""
    records = [
        record
        for campaign in campaigns
        for record in records_from(campaign.results, campaign.protocol, campaign=campaign.name)
    ]
    return gistmark.judgements.with_records(corpus, records)


def true_level(knowledge: Knowledge, corpus: Corpus, system: str, dimension: str) -> float:
    """The mean of a system's summaries in a dimension, from 0 to 1, without any noise."""
    texts = [summary.text for summary in corpus.summaries if summary.system == system]
    return float(np.mean([knowledge.quality_of(text, dimension) for text in texts]))


# HighRES.

GUESSES: Mapping[Style, float] = {"careful": 0.0, "noisy": 0.15}
"""How often simulated people of a style answer without looking."""
QUALITY = {"tconvs2s": 0.6, "ptgen": 0.5, "reference": 0.75}
MODES: Mapping[str, tuple[str, float, Style]] = {
    "highlights": ("content-highlight", 0.05, "careful"),
    "no highlights": ("content-document", 0.0, "noisy"),
    "reference": ("content-reference", -0.08, "noisy"),
}
"""By mode: the preset, how much better summaries seem in it, and how its judges work."""


def highres(documents: int = 50) -> list[Row]:
    corpus = made_up_corpus(documents, ("tconvs2s", "ptgen"), reference=True, length=6)
    planted = propose_missing_planted(corpus, seed=SEED).planted
    corpus = replace(
        corpus,
        questions=tuple(statements(corpus)),
        planted=tuple(Planted(p.good, p.mediocre, p.bad, p.document) for p in planted),
    )
    people = [f"worker{number:02}" for number in range(30)]
    marked = run_campaign(
        corpus, get_protocol("highlight"), people, knowledge_of(corpus), name="highlights"
    )
    corpus = combined(corpus, [marked])
    campaigns = []
    knowledges = {}
    for name, (preset, shift, style) in MODES.items():
        knowledges[name] = knowledge_of(corpus, shift)
        campaigns.append(
            run_campaign(
                corpus, get_protocol(preset), people, knowledges[name], name=name, style=style
            )
        )
    for name in ("fluency", "clarity"):
        knowledges[name] = knowledge_of(corpus)
        campaigns.append(
            run_campaign(corpus, get_protocol(name), people, knowledges[name], name=name)
        )
    whole = combined(corpus, campaigns)
    rows = [
        Row("5.1", "highlights a document", 10, len(marked.results) / documents, 0),
        Row("Table 4", "fluency tasks", 3 * 3 * documents / 5, len(campaigns[3].results), 0),
    ]
    for campaign in campaigns:
        style = MODES[campaign.name][2] if campaign.name in MODES else "careful"
        rows += list(balance_rows(campaign, judges=3))
        rows += list(
            mean_rows(campaign.name, whole.ratings, knowledges[campaign.name], corpus, style)
        )
    study = gistmark.study(whole, options=StudyOptions(by="campaign"))
    return [*rows, *mode_rows(study, whole), *shift_rows(study), language_row(study, whole)]


def mode_rows(study: Study, whole: Corpus) -> Iterator[Row]:
    """Tables 2 and 3 of the study beside the same by hand."""
    values: dict[tuple[str, str, str], dict[str, list[float]]] = {}
    for rating in whole.ratings:
        cell = values.setdefault((rating.campaign or "", rating.dimension, rating.system), {})
        cell.setdefault(rating.document, []).append(rating.value)
    for record in study.modes:
        if record.system:
            summaries = list(values[record.campaign, record.dimension, record.system].values())
            mean = float(np.mean([np.mean(given) for given in summaries]))
            cv = np.mean(
                [(1 + 1 / (4 * len(g))) * np.std(g, ddof=1) / np.mean(g) for g in summaries]
            )
            name = f"{record.campaign}, {record.dimension}, {record.system}"
            yield Row("Table 2", name, mean, record.mean or 0.0, 1e-9)
            yield Row("Table 3", name, float(cv), record.cv or 0.0, 1e-9)


def shift_rows(study: Study) -> Iterator[Row]:
    """How much better summaries seemed with highlights, against what was put in."""
    for record in study.mode_differences:
        if record.statistic == "mean" and not record.system and record.right == "no highlights":
            assert record.low is not None
            assert record.high is not None
            level = 0.62 + MODES["highlights"][1]
            # Those who guess draw the mean of the plain mode towards the middle.
            truth = 99 * (level - (0.62 + GUESSES["noisy"] * (0.5 - 0.62)))
            half = (record.high - record.low) / 2
            yield Row(
                "5.2", f"highlights, {record.dimension}", truth, record.difference or 0.0, half
            )


def language_row(study: Study, whole: Corpus) -> Row:
    """Fluency against clarity over summaries, beside the same by hand."""
    means: dict[str, dict[tuple[str, str], list[float]]] = {}
    for rating in whole.ratings:
        unit = (rating.document, rating.system)
        means.setdefault(rating.dimension, {}).setdefault(unit, []).append(rating.value)
    units = list(means["fluency"])
    rows = [[np.mean(means[name][unit]) for unit in units] for name in ("fluency", "clarity")]
    (record,) = (
        record
        for record in study.correlation
        if {record.metric, record.human} == {"fluency", "clarity"}
        and (record.level, record.coefficient) == ("global", "pearson")
    )
    truth = float(np.corrcoef(rows)[0, 1])
    return Row("5.3", "fluency and clarity, Pearson", truth, record.value or 0.0, 1e-9)


def statements(corpus: Corpus) -> Iterator[Question]:
    """A sentence of each document and one of its reference; every second has another number."""
    for number, document in enumerate(corpus.documents):
        (reference,) = corpus.references[document.id]
        last = sentences(document.text)[-1]
        for text, about in ((last, "document"), (reference.text, "reference")):
            wrong = " ".join([*text.split()[:-2], "1000", "times."])
            truth = number % 2 == 0
            yield Question(document.id, text if truth else wrong, truth, about)  # type: ignore[arg-type]


def knowledge_of(corpus: Corpus, shift: float = 0.0) -> Knowledge:
    quality = {system: level + shift for system, level in QUALITY.items()}
    return knowledge_from(corpus, quality, seed=SEED)


def balance_rows(campaign: Campaign, *, judges: int) -> Iterator[Row]:
    """Every item has as many judgements as were wanted, but for those refused."""
    counts = Counter(
        (entry.document, entry.systems)
        for result in campaign.results
        for entry in result.task.entries
        if entry.planted is None
    )
    yield Row(campaign.name, "judges an item, least", judges, min(counts.values()), 1)
    yield Row(campaign.name, "judges an item, most", judges, max(counts.values()), 0)


def mean_rows(
    name: str, ratings: Sequence[Rating], knowledge: Knowledge, corpus: Corpus, style: Style
) -> Iterator[Row]:
    values: dict[tuple[str, str], list[float]] = {}
    for rating in ratings:
        if rating.campaign == name:
            values.setdefault((rating.system, rating.dimension), []).append(rating.value)
    for (system, dimension), given in sorted(values.items()):
        level = true_level(knowledge, corpus, system, dimension)
        level += GUESSES[style] * (0.5 - level)
        error = float(np.std(given)) / len(given) ** 0.5
        value = float(np.mean(given))
        yield Row(f"{name}, mean", f"{system}, {dimension}", 1 + 99 * level, value, 4 * error)


# DIP-SumEval.

NUGGETS = {"H1": 0.5, "H2": 0.65, "H3": 0.6, "H4": 0.62, "H5": 0.4, "LeadFirst": 0.45, "MMR": 0.2}
PAIRED = {"H1": 0.5, "H2": 0.65, "H3": 0.6, "H4": 0.62, "MMR*": 0.45, "Submodular": 0.4,
          "PG-MMR": 0.1}  # fmt: skip


def dip_likert(topics: int = 49) -> list[Row]:
    corpus = made_up_corpus(topics, tuple(NUGGETS), reference=False, length=3)
    knowledge = knowledge_from(corpus, NUGGETS, seed=SEED)
    protocol = configured(
        get_protocol("likert"),
        {
            "one_per_document_and_annotator": True,
            "judges": 4,
            "judges_by_system": {"LeadFirst": 3, "MMR": 3},
        },
    )
    people = [f"student{number:02}" for number in range(26)]
    done = run_campaign(corpus, protocol, people, knowledge, name="LikertAnno")
    loads = Counter(result.task.annotator for result in done.results)
    judged = Counter(entry.systems[0] for result in done.results for entry in result.task.entries)
    whole = combined(corpus, [done])
    overall = tuple(rating for rating in whole.ratings if rating.dimension == "Overall Quality")
    study = gistmark.study(replace(whole, ratings=overall))
    means = {
        record.system: record.value
        for record in study.ranking
        if record.dimension == "Overall Quality" and record.method == "mean"
    }
    return [
        Row("Table 1", "annotations", 26 * topics, len(done.results), 0),
        Row("Table 1", "summaries of a topic, at most", 1, max(done.documents_met.values()), 0),
        Row("Table 1", "tasks of an annotator, least", topics, min(loads.values()), 0),
        Row("Table 1", "tasks of an annotator, most", topics, max(loads.values()), 0),
        *(Row("Table 1", f"judges of {system}", 3 if system in ("LeadFirst", "MMR") else 4,
              judged[system] / topics, 0) for system in NUGGETS),
        *(Row("Section 4.2", f"{system}, Overall Quality",
              1 + 4 * true_level(knowledge, corpus, system, "Overall Quality"),
              means[system], 0.15) for system in NUGGETS),
    ]  # fmt: skip


def dip_pairs(topics: int = 49) -> list[Row]:
    corpus = made_up_corpus(topics, tuple(PAIRED), reference=False, length=3)
    knowledge = knowledge_from(corpus, PAIRED, seed=SEED)
    design = {"one_dimension_per_task": True, "items_per_task": 3, "several_of_a_document": True}
    protocol = configured(get_protocol("pairwise"), design)
    people = [f"worker{number:02}" for number in range(64)]
    done = run_campaign(corpus, protocol, people, knowledge, name="PairAnno", style="noisy")
    judged = combined(corpus, [done])
    votes = Counter((c.document, c.left, c.right, c.dimension) for c in judged.comparisons)
    criteria = {
        result.task.slot: {c for item in result.answer.items.values() for c in item.choices}
        for result in done.results
    }
    pairs = {frozenset((left, right)) for _, left, right, _ in votes}
    overall = [c for c in judged.comparisons if c.dimension == "Overall Quality"]
    shares = {
        system: sum(c.winner == system for c in overall)
        / sum(system in (c.left, c.right) for c in overall)
        for system in PAIRED
    }
    order = sorted(
        PAIRED, key=lambda system: -true_level(knowledge, corpus, system, "Overall Quality")
    )
    return [
        Row("Table 1", "pairs of systems", 21, len(pairs), 0),
        Row("Table 1", "votes", 49 * 21 * 7 * 6 * topics / 49, len(judged.comparisons), 0),
        Row("Table 1", "criteria of a task, most", 1, max(map(len, criteria.values())), 0),
        Row("Figure 5", "first by votes", 0, order.index(max(shares, key=shares.__getitem__)), 1),
        Row("Figure 5", "last by votes", 6, order.index(min(shares, key=shares.__getitem__)), 0),
    ]


# EMFoS.


def emfos(articles: int = 250) -> list[Row]:
    """Summaries that share more words with the reference the better they are."""
    corpus, quality = graded_summaries(articles)
    knowledge = Knowledge(quality)
    dimensions = [each.name for each in get_protocol("quality").dimensions]
    campaigns = [
        run_campaign(
            corpus, configured(get_protocol("quality"), {"judges": 1}),
            [f"set{number}-reviewer{person}" for person in range(5)], knowledge,
            name=f"set {number}", style=style,
        )
        for number, style in ((1, "careful"), (2, "noisy"))
    ]  # fmt: skip
    judged = combined(corpus, campaigns)
    scores = gistmark.score(judged, metrics=["rouge1:stem=yes"])
    study = gistmark.study(judged, scores)
    by_hand = {
        "HS1": human_score(judged, corpus.document_ids, [d for d in dimensions if d != "overall"]),
        "HS3": human_score(judged, corpus.document_ids, ["overall"]),
    }
    column = scores.columns["rouge1:stem=yes"].part("f")
    by_unit = dict(zip(zip(scores.documents, scores.systems, strict=True), column, strict=True))
    rouge = [by_unit[document, "bart"] for document in corpus.document_ids]
    texts = {
        summary.document: summary.text for summary in corpus.summaries if not summary.reference
    }
    truth = [quality[texts[document]] for document in corpus.document_ids]
    values = {
        (record.human, record.coefficient): record.value
        for record in study.correlation
        if record.level == "global" and record.part == "f" and not record.given
    }
    return [
        Row("Chapter 4", "ratings of a set", 6 * articles,
            sum(rating.campaign == "set 1" for rating in judged.ratings), 0),
        *(Row("Table 7.1", f"R1 and {name}", float(np.corrcoef(rouge, human)[0, 1]),
              values[name, "pearson"], 1e-9) for name, human in by_hand.items()),
        # Five measures hide less of the truth than the overall one alone, on five points.
        *(Row("Table 7.1", f"{name} and true quality", 1.0,
              float(np.corrcoef(truth, by_hand[name])[0, 1]), tolerance)
          for name, tolerance in (("HS1", 0.1), ("HS3", 0.25))),
    ]  # fmt: skip


def human_score(judged: Corpus, documents: Sequence[str], dimensions: Sequence[str]) -> list[float]:
    """The mean of (x - 1) / 4 over dimensions and sets of reviewers, one rating of each a set."""
    values: dict[str, list[float]] = {}
    for rating in judged.ratings:
        if rating.dimension in dimensions:
            values.setdefault(rating.document, []).append((rating.value - 1) / 4)
    return [float(np.mean(values[document])) for document in documents]


def graded_summaries(articles: int) -> tuple[Corpus, dict[str, float]]:
    rng = np.random.default_rng(SEED)
    corpus = made_up_corpus(articles, (), reference=True, length=3, words=20)
    summaries, quality = list(corpus.summaries), {}
    for reference in corpus.summaries:
        level = float(rng.uniform())
        words = reference.text.split()
        kept = [word if rng.uniform() < level else made_up_word(rng) for word in words]
        summaries.append(Summary(reference.document, "bart", " ".join(kept)))
        quality[summaries[-1].text] = level
    return replace(corpus, summaries=tuple(summaries)), quality


STUDIES = {"highres": (highres,), "dip-sumeval": (dip_likert, dip_pairs), "emfos": (emfos,)}


def main() -> None:
    for name in sys.argv[1:] or STUDIES:
        for study in STUDIES[name]:
            for row in study():
                mark = "" if row.holds else "  OFF"
                print(f"{row.table:24} {row.cell:36} {row.truth:9.2f} {row.value:9.2f}{mark}")


if __name__ == "__main__":
    main()

"""Content units from a parsed sentence: who did what, and then when, where and how.

A unit is a clause cut down to one fact, as the semantic triplet units of Zhang and Bansal, "Finding
a Balanced Degree of Automation for Summary Evaluation" (2021), which come from semantic roles; here
they come from a dependency parse. Each predicate gives its subject, itself and its objects, and the
same once more with each of its adjuncts:

    A crack shut the bridge for a week.  →  A crack shut the bridge
                                            A crack shut the bridge for a week

A predicate without a subject of its own has that of the clause it continues, and a relative clause
the noun that it is about. An apposition is a unit of both names. A sentence without a predicate is
a unit as it stands, and a predicate that is all by itself is none. Labels are those of spaCy's
English pipelines and of Universal Dependencies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from gistmark.models.parsers import Sentence

_SUBJECTS = {"nsubj", "nsubjpass", "nsubj:pass", "csubj", "csubjpass", "csubj:pass", "expl"}
_OBJECTS = {
    "dobj", "obj", "iobj", "dative", "attr", "acomp", "oprd", "agent", "obl:agent", "xcomp",
    "ccomp",
}  # fmt: skip
_ADJUNCTS = {"prep", "obl", "obl:tmod", "npadvmod", "obl:npmod", "advcl"}
_PARTS_OF_THE_VERB = {
    "aux", "auxpass", "aux:pass", "cop", "neg", "prt", "compound:prt", "advmod", "compound",
}  # fmt: skip
_OF_A_NOUN = {"relcl", "acl", "acl:relcl"}
_CLAUSES = {"ROOT", "root", "conj", "ccomp", "advcl", "pcomp", "parataxis", *_OF_A_NOUN}
_SEPARATE_FACTS = {"appos", "parataxis", *_OF_A_NOUN}
_RELATIVE = {"who", "whom", "which", "that"}
_MOST_PREDICATES = 60
"""A sentence of more predicates is a list or no sentence: the rest of it gives no units."""

Indexes = tuple[int, ...]


def facts(sentence: Sentence) -> list[str]:
    """The units of a sentence in the order of its predicates; none where it has no words."""
    tree = _Tree(sentence, _children(sentence))
    texts = [*map(tree.text, tree.facts()), *tree.appositions()]
    distinct = list(dict.fromkeys(filter(None, texts)))
    if distinct:
        return distinct
    text = tree.text(tuple(range(len(sentence))))
    return [text] if text else []


def _children(sentence: Sentence) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in sentence]
    for index, token in enumerate(sentence):
        if token.head != index:
            children[token.head].append(index)
    return children


@dataclass(frozen=True)
class _Tree:
    """A sentence, and the words that depend on each."""

    tokens: Sentence
    children: list[list[int]]

    def facts(self) -> Iterator[Indexes]:
        """Each fact as the words that it has, the subject first."""
        predicates = [index for index in range(len(self.tokens)) if self._is_predicate(index)]
        for index in predicates[:_MOST_PREDICATES]:
            yield from self._facts_of(index)

    def appositions(self) -> Iterator[str]:
        """Two names of one thing: the painter, a local man."""
        for index, token in enumerate(self.tokens):
            if token.relation == "appos":
                names = (self.text(self._phrase(name)) for name in (token.head, index))
                yield ", ".join(filter(None, names))

    def text(self, words: Indexes) -> str:
        """The words as they are written, without punctuation or an "and" around them."""
        inner = self._trimmed(words)
        parts = []
        for index, following in zip_longest(inner, inner[1:]):
            token = self.tokens[index]
            joined = following == index + 1 and not token.space
            parts.append(token.text if joined else f"{token.text} ")
        return "".join(parts).strip()

    def _trimmed(self, words: Indexes) -> Indexes:
        positions = [position for position, index in enumerate(words) if self._is_word(index)]
        return words[positions[0] : positions[-1] + 1] if positions else ()

    def _is_word(self, index: int) -> bool:
        token = self.tokens[index]
        return token.kind != "CCONJ" and any(char.isalnum() for char in token.text)

    def _is_predicate(self, index: int) -> bool:
        token = self.tokens[index]
        if any(self.tokens[child].relation in _SUBJECTS for child in self.children[index]):
            return True
        return token.kind in ("VERB", "AUX") and token.relation in _CLAUSES

    def _facts_of(self, index: int) -> Iterator[Indexes]:
        subject = self._subject(index, set())
        verb = [index, *self._children_with(index, _PARTS_OF_THE_VERB)]
        objects = [self._object(index, child) for child in self._children_with(index, _OBJECTS)]
        adjuncts = [self._phrase(child) for child in self._children_with(index, _ADJUNCTS)]
        core = sorted({*verb, *(word for phrase in objects for word in phrase)})
        predicate = tuple(member for member in core if member not in subject)
        if objects or (subject and self.tokens[index].kind != "AUX"):
            yield (*subject, *predicate)
        for adjunct in adjuncts:
            words = {*predicate, *adjunct}.difference(subject)
            yield (*subject, *sorted(words))

    def _children_with(self, index: int, relations: set[str]) -> list[int]:
        return [child for child in self.children[index] if self.tokens[child].relation in relations]

    def _subject(self, index: int, visited: set[int]) -> Indexes:
        """The words of the subject; of a clause without one, that of what it belongs to."""
        token = self.tokens[index]
        subjects = self._children_with(index, _SUBJECTS)
        if subjects:
            return self._object(index, subjects[0])
        if token.relation in _OF_A_NOUN:
            return self._phrase(token.head)
        if token.head == index or index in visited:
            return ()
        return self._subject(token.head, visited | {index})

    def _object(self, predicate: int, index: int) -> Indexes:
        """The words of a subject or an object; a relative pronoun stands for its noun."""
        token, clause = self.tokens[index], self.tokens[predicate]
        if clause.relation in _OF_A_NOUN and token.text.lower() in _RELATIVE:
            return self._phrase(clause.head)
        return self._phrase(index)

    def _phrase(self, index: int) -> Indexes:
        """A word and what depends on it, but for clauses and names that are units of their own."""
        words: list[int] = []
        waiting = [index]
        while waiting:
            word = waiting.pop()
            words.append(word)
            waiting += [
                child
                for child in self.children[word]
                if self.tokens[child].relation not in _SEPARATE_FACTS
                and not self._is_next_clause(child)
            ]
        return self._trimmed(tuple(sorted(words)))

    def _is_next_clause(self, index: int) -> bool:
        """Whether a word begins a clause that is joined to another, and not a name to a name."""
        return self.tokens[index].relation == "conj" and self._is_predicate(index)

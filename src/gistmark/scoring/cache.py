"""A cache of scores on disk, addressed by content.

An entry's key is a hash of the texts that the metric looked at, so it holds wherever the same texts
occur again: in a second run, in a run with one more system, in another corpus. The entries of one
metric signature are in one folder as segments: files that are written once, whole, under the hash
of their content. A file that is damaged, or that Gistmark did not write, is ignored with a warning.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.metric import Float64, Metric, Need, Values
from gistmark.records import Highlight
from gistmark.runtime.files import atomic_write

Keys = NDArray[np.uint64]

_MAGIC = b"gistmark scores 1\n"
_SUFFIX = ".scores"
_MAX_SEGMENTS = 32


class ContentKeys:
    """Keys of the items of one batch, for each set of inputs that a metric reads."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._digests = [
            blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            for text in batch.texts
        ]
        self._keys: dict[frozenset[Need], Keys] = {}

    def of(self, metric: Metric) -> Keys:
        """The keys of all items for this metric, as pairs of 64-bit numbers."""
        reads = metric.reads
        if reads not in self._keys:
            joined = b"".join(self._key(index, reads) for index in range(len(self._batch)))
            self._keys[reads] = np.frombuffer(joined, dtype=np.uint64).reshape(-1, 2)
        return self._keys[reads]

    def _key(self, index: int, reads: frozenset[Need]) -> bytes:
        batch = self._batch
        parts = [self._digests[batch.summaries[index]]]
        if "references" in reads:
            first, last = batch.reference_offsets[index], batch.reference_offsets[index + 1]
            parts += [b"references", *(self._digests[i] for i in batch.references[first:last])]
        document = batch.documents[index]
        if "documents" in reads and document != NO_DOCUMENT:
            parts += [b"document", self._digests[document]]
        if "highlights" in reads:
            parts += [b"highlights", _highlights_json(batch.highlights.get(int(document), ()))]
            if by_machines := batch.machine_highlights.get(int(document)):
                parts += [b"machine highlights", _highlights_json(by_machines)]
        if "units" in reads:
            units = [(unit.text, unit.weight) for unit in batch.units_of(index)]
            parts += [b"units", json.dumps(units).encode()]
        return blake2b(b"\0".join(parts), digest_size=16).digest()


def _highlights_json(highlights: Sequence[Highlight]) -> bytes:
    return json.dumps([(m.annotator, m.start, m.end, m.budget) for m in highlights]).encode()


@dataclass(frozen=True)
class Segment:
    """Entries of one signature; each has a key, a row of values and perhaps a reason."""

    keys: Keys
    values: Float64
    reasons: dict[int, str]


class MetricCache:
    """The cache entries of one metric with its options; all files are read when it is made."""

    def __init__(self, folder: Path, metric: Metric) -> None:
        self.signature = metric.signature
        self.folder = folder / "scores" / _digest(_metric_identity(metric).encode())
        self._width = len(metric.parts)
        self._files = sorted(self.folder.glob(f"*{_SUFFIX}"))
        segments = [segment for file in self._files if (segment := self._read(file)) is not None]
        self._entries = _sort_by_key(_concatenate(segments, self._width))

    def look_up(self, keys: Keys) -> tuple[Values, NDArray[np.bool_]]:
        """Return a row of values for each key, NaN if it is not cached, and which keys are."""
        values = np.full((len(keys), self._width), np.nan)
        entries = self._entries
        if not len(entries.keys) or not len(keys):
            return Values(values), np.zeros(len(keys), dtype=bool)
        position = np.searchsorted(entries.keys[:, 0], keys[:, 0])
        position = np.minimum(position, len(entries.keys) - 1)
        is_cached: NDArray[np.bool_] = (entries.keys[position] == keys).all(axis=1)
        values[is_cached] = entries.values[position[is_cached]]
        reasons = (
            {
                int(index): entries.reasons[int(position[index])]
                for index in np.flatnonzero(is_cached)
                if int(position[index]) in entries.reasons
            }
            if entries.reasons
            else {}
        )
        return Values(values, reasons), is_cached

    def add(self, keys: Keys, values: Values, indexes: Sequence[int]) -> None:
        """Write the entries at these indexes as a new segment."""
        rows = np.asarray(indexes, dtype=np.int64)
        if len(rows):
            reasons = {
                new: values.reasons[old] for new, old in enumerate(indexes) if old in values.reasons
            }
            self._write(Segment(keys[rows], values.values[rows], reasons))

    def compact(self) -> None:
        """Merge the segments into one file if there are many."""
        files = sorted(self.folder.glob(f"*{_SUFFIX}"))
        if len(files) <= _MAX_SEGMENTS:
            return
        segments = [segment for file in files if (segment := self._read(file)) is not None]
        compacted = self._write(_sort_by_key(_concatenate(segments, self._width)))
        for file in files:
            if file != compacted:
                file.unlink(missing_ok=True)

    def _write(self, segment: Segment) -> Path:
        header = {
            "signature": self.signature,
            "entries": len(segment.keys),
            "reasons": {str(index): reason for index, reason in segment.reasons.items()},
        }
        content = b"".join([
            _MAGIC,
            json.dumps(header).encode() + b"\n",
            segment.keys.astype("<u8").tobytes(),
            segment.values.astype("<f8").tobytes(),
        ])  # fmt: skip
        target = self.folder / f"{_digest(content)}{_SUFFIX}"
        with atomic_write(target) as stream:
            stream.write(content)
        return target

    def _read(self, file: Path) -> Segment | None:
        try:
            return self._parse(file.read_bytes(), file.stem)
        except (OSError, ValueError, KeyError, TypeError) as error:
            warnings.warn(f"The cache file {file} is ignored: {error}.", stacklevel=4)
            return None

    def _parse(self, content: bytes, name: str) -> Segment:
        if not content.startswith(_MAGIC):
            raise ValueError("it was not written by Gistmark")
        if _digest(content) != name:
            raise ValueError("its content is damaged")
        line, _, body = content[len(_MAGIC) :].partition(b"\n")
        header = json.loads(line)
        if header["signature"] != self.signature:
            raise ValueError("it belongs to another metric")
        count = header["entries"]
        keys = np.frombuffer(body[: 16 * count], dtype="<u8").reshape(count, 2)
        values = np.frombuffer(body[16 * count :], dtype="<f8").reshape(count, self._width)
        return Segment(keys, values, {int(k): str(v) for k, v in header["reasons"].items()})


def _metric_identity(metric: Metric) -> str:
    """The signature and the class of a metric, because two plugins may have the same name."""
    kind = type(metric)
    return f"{metric.signature} {kind.__module__}:{kind.__qualname__}"


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


def _concatenate(segments: Sequence[Segment], width: int) -> Segment:
    reasons: dict[int, str] = {}
    start = 0
    for segment in segments:
        reasons.update({start + index: text for index, text in segment.reasons.items()})
        start += len(segment.keys)
    empty = Segment(np.empty((0, 2), np.uint64), np.empty((0, width)), {})
    return Segment(
        np.concatenate([empty.keys, *(segment.keys for segment in segments)]),
        np.concatenate([empty.values, *(segment.values for segment in segments)]),
        reasons,
    )


def _sort_by_key(segment: Segment) -> Segment:
    """Sort the entries by key, and keep one entry for each key."""
    _, order = np.unique(segment.keys[:, 0], return_index=True)
    reasons = {}
    if segment.reasons:
        reasons = {
            new: segment.reasons[int(old)]
            for new, old in enumerate(order)
            if int(old) in segment.reasons
        }
    return Segment(segment.keys[order], segment.values[order], reasons)

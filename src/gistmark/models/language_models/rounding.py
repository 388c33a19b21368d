"""The compiled loops between the products of a decoder with numbers of 8 bits.

Each ends with vectors rounded to 255 steps around 128, and the size of a step for each vector. The
products that they begin with still want the size of a step: it is applied here. Rows are shared
out to as many threads as torch uses.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.runtime.compiled import compiled_freely

Float32 = NDArray[np.float32]
Steps = NDArray[np.uint8]

STEPS = 127
_SMALLEST = 1e-12
_ROWS_FOR_THREADS = 64
"""Fewer rows are not worth a second thread."""

# The seventh convergent of tanh, x (A0 + A2 x² + A4 x⁴ + x⁶) / (A0 + B2 x² + B4 x⁴ + B6 x⁶).
_A0, _A2, _A4 = np.float32(135135), np.float32(17325), np.float32(378)
_BOUND = np.float32(4.97)
_B2, _B4, _B6 = np.float32(62370), np.float32(3150), np.float32(28)


def normed(
    total: Float32, change: Float32, scales: Float32, weights: Float32, epsilon: float
) -> tuple[Steps, Float32]:
    """Add a change to the sum over all layers; its vectors, divided by their mean size, rounded.

    The size does not matter to the rounded vectors, so it goes into their step.
    """
    steps, sizes = _empty_steps(total.shape)
    _by_rows(_norm, (total, change, scales, steps, sizes), weights, np.float32(epsilon))
    return steps, sizes


def rounded(vectors: Float32, factors: Float32) -> tuple[Steps, Float32]:
    """Vectors, each feature times its factor, rounded."""
    steps, sizes = _empty_steps(vectors.shape)
    _by_rows(_round, (vectors, steps, sizes), factors)
    return steps, sizes


def gated(products: Float32, scales: Float32, factors: Float32) -> tuple[Steps, Float32]:
    """SiLU of the first half of each vector times the second half, and rounded."""
    steps, sizes = _empty_steps((len(products), products.shape[1] // 2))
    _by_rows(_gate, (products, scales, steps, sizes), factors)
    return steps, sizes


def turn(heads: Float32, scales: Float32, cosines: Float32, sines: Float32, turned: int) -> None:
    """Apply the scales to queries, keys and values; turn the first heads by their position."""
    _by_rows(_turn, (heads, scales, cosines, sines), turned)


def _empty_steps(shape: tuple[int, ...]) -> tuple[Steps, Float32]:
    return np.empty(shape, np.uint8), np.empty(shape[0], np.float32)


def _by_rows(loop: Callable[..., None], arrays: tuple[Any, ...], *settings: Any) -> None:
    """Run a loop over the rows of arrays, a part of them in each thread."""
    import torch

    threads, rows = torch.get_num_threads(), len(arrays[0])
    if threads == 1 or rows < _ROWS_FOR_THREADS:
        return loop(*arrays, *settings)
    bounds = np.linspace(0, rows, threads + 1).astype(int).tolist()
    parts = [slice(*pair) for pair in pairwise(bounds)]
    jobs = [
        _threads().submit(loop, *(array[part] for array in arrays), *settings) for part in parts
    ]
    for job in jobs:
        job.result()
    return None


@lru_cache(maxsize=1)
def _threads() -> ThreadPoolExecutor:
    """Threads for every core: several passes, each with a share of the cores, may want some."""
    return ThreadPoolExecutor(os.cpu_count())


@compiled_freely
def _norm(
    total: Float32, change: Float32, scales: Float32, steps: Steps, sizes: Float32,
    weights: Float32, epsilon: float,
) -> None:  # fmt: skip
    rows, width = total.shape
    for row in range(rows):
        scale, squares, largest = scales[row], np.float32(0), np.float32(_SMALLEST)
        for column in range(width):
            value = total[row, column] + change[row, column] * scale
            total[row, column] = value
            squares += value * value
            largest = max(largest, abs(value * weights[column]))
        inverse = np.float32(STEPS) / largest
        for column in range(width):
            value = total[row, column] * weights[column] * inverse
            steps[row, column] = np.uint8(value + np.float32(128.5))
        sizes[row] = largest / (np.float32(STEPS) * np.sqrt(squares / np.float32(width) + epsilon))


@compiled_freely
def _round(vectors: Float32, steps: Steps, sizes: Float32, factors: Float32) -> None:
    rows, width = vectors.shape
    for row in range(rows):
        largest = np.float32(_SMALLEST)
        for column in range(width):
            largest = max(largest, abs(vectors[row, column] * factors[column]))
        inverse = np.float32(STEPS) / largest
        for column in range(width):
            value = vectors[row, column] * factors[column] * inverse
            steps[row, column] = np.uint8(value + np.float32(128.5))
        sizes[row] = largest / np.float32(STEPS)


@compiled_freely
def _gate(
    products: Float32, scales: Float32, steps: Steps, sizes: Float32, factors: Float32
) -> None:
    rows, width = steps.shape
    values, half = np.empty(width, np.float32), np.float32(0.5)
    for row in range(rows):
        scale, largest = scales[row], np.float32(_SMALLEST)
        for column in range(width):
            gate = products[row, column] * scale
            # The sigmoid is (1 + tanh(x / 2)) / 2; this one is off by 1e-4 at most.
            x = min(max(gate * half, -_BOUND), _BOUND)
            square = x * x
            above = x * (_A0 + square * (_A2 + square * (_A4 + square)))
            below = _A0 + square * (_B2 + square * (_B4 + square * _B6))
            sigmoid = half + half * (above / below)
            up = products[row, width + column] * scale
            values[column] = gate * sigmoid * up * factors[column]
        for column in range(width):
            largest = max(largest, abs(values[column]))
        inverse = np.float32(STEPS) / largest
        for column in range(width):
            steps[row, column] = np.uint8(values[column] * inverse + np.float32(128.5))
        sizes[row] = largest / np.float32(STEPS)


@compiled_freely
def _turn(heads: Float32, scales: Float32, cosines: Float32, sines: Float32, rotated: int) -> None:
    size = cosines.shape[1]
    half = size // 2
    for row in range(len(heads)):
        scale = scales[row]
        for head in range(rotated):
            for column in range(half):
                low = head * size + column
                high = low + half
                x, y = heads[row, low] * scale, heads[row, high] * scale
                heads[row, low] = x * cosines[row, column] - y * sines[row, column]
                heads[row, high] = y * cosines[row, half + column] + x * sines[row, half + column]
        for column in range(rotated * size, heads.shape[1]):
            heads[row, column] *= scale

"""The only module that imports numba: it marks a function to be compiled on its first call.

Compiled functions release the GIL, so threads use every core, and are kept on disk, so only
the first run ever pays for the compilation. mypy sees the plain Python function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` with numba (no Python objects inside, no GIL, cached on disk)."""
    kernel: Callable[P, R] = numba.njit(nogil=True, cache=True)(function)
    return kernel


def compiled_freely(function: Callable[P, R]) -> Callable[P, R]:
    """The same, free to compute in any order, several numbers at a time, and to divide by 0.

    Results may differ in their last digits from one processor to another.
    """
    kernel: Callable[P, R] = numba.njit(nogil=True, cache=True, fastmath=True, error_model="numpy")(
        function
    )
    return kernel

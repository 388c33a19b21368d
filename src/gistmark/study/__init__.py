"""The study: do annotators agree, which metric follows people, which system is best, how surely.

`gistmark.study(corpus, scores)` runs one: this package can be called, because its name is also
that of the function.
"""

import sys
from types import ModuleType
from typing import Any

from gistmark.study.results import Study
from gistmark.study.study import StudyOptions, study

__all__ = ["Study", "StudyOptions", "study"]


class _CallablePackage(ModuleType):
    """Once this package is imported, it hides the function of the same name in `gistmark`."""

    def __call__(self, *arguments: Any, **options: Any) -> Study:
        return study(*arguments, **options)


sys.modules[__name__].__class__ = _CallablePackage

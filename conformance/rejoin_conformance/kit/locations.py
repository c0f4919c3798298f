"""The folders of the spec and the corpus: beside the packages in a checkout, inside in a wheel."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_CHECKOUT: Final = _PACKAGE.parent.parent
_DATA: Final = _PACKAGE / "data"


def _data_directory(name: str) -> Path:
    installed = _DATA / name
    return installed if installed.is_dir() else _CHECKOUT / name


def spec_directory() -> Path:
    """Return the folder of the spec, which has one folder for each system."""
    return _data_directory("spec")


def vectors_directory() -> Path:
    """Return the folder of the committed corpus."""
    return _data_directory("vectors")


def mutants_directory() -> Path:
    """Return the folder with one folder of argued mutants and knock-outs for each system."""
    installed = _DATA / "mutants"
    return installed if installed.is_dir() else _CHECKOUT / "conformance" / "mutants"


def in_checkout() -> bool:
    """Return whether the suite runs from a checkout, which the user may change."""
    return not _DATA.is_dir()


def text_beside(module: str) -> str:
    """Return the text beside a module that has its name: that of `laws.txt` beside `laws.py`.

    module: its `__name__`. It can be in a zip, as for the executors of Spark. The text belongs to
    the code on which kept results depend.
    """
    package, _, name = module.rpartition(".")
    return files(package).joinpath(f"{name}.txt").read_text(encoding="utf-8")

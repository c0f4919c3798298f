"""Build hook: what a wheel has besides the packages.

Every wheel has the spec, the corpus and the argued mutants. If REJOIN_COMPILE is 1, the wheel also
has extension modules, which Cython compiles from the same sources, and is for one platform.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_ROOTS: Final = ("reference", "conformance")
"""The folders of the checkout that contain the packages."""

_DIRECTIVES: Final = {"annotation_typing": False, "binding": True}
"""Annotations stay hints, as in Python; functions keep names, docstrings and signatures."""


class WheelData(BuildHookInterface):  # type: ignore[misc]  # hatchling is there only while building
    """Add files to every wheel that is not an editable one, which reads the checkout."""

    _folder: Path | None = None

    def dependencies(self) -> list[str]:
        """Return the packages that the build needs besides hatchling."""
        return [*self.config["compilers"]] if _compiles() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the build; `version` is `standard` or `editable`."""
        if version != "standard":
            if _compiles():
                raise ValueError("REJOIN_COMPILE=1 and --editable exclude each other: omit one")
            return
        build_data["force_include"] = {
            "spec": "rejoin_conformance/data/spec",
            "vectors": "rejoin_conformance/data/vectors",
            "conformance/mutants": "rejoin_conformance/data/mutants",
        }
        if _compiles():
            self._folder = Path(tempfile.mkdtemp(prefix="rejoin-compiled-"))
            sources = [path for each in self.config["compile"] for path in self._matching(each)]
            build_data["force_include"] |= _compiled(Path(self.root), sources, self._folder)
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Called by hatchling after the build."""
        if self._folder is not None:
            shutil.rmtree(self._folder)

    def _matching(self, pattern: str) -> list[Path]:
        found = [path for path in Path(self.root).glob(pattern) if path.name != "__init__.py"]
        if not found:
            raise ValueError(f"pyproject.toml: nothing to compile matches {pattern!r}")
        return sorted(found)


def _compiles() -> bool:
    return os.environ.get("REJOIN_COMPILE", "0") not in {"", "0"}


def _compiled(root: Path, sources: list[Path], folder: Path) -> dict[str, str]:
    """Compile sources in a folder; return the files to include: path -> path in the wheel."""
    import Cython  # noqa: PLC0415 - a requirement of this kind of build only
    from Cython.Build import cythonize  # noqa: PLC0415 - as above
    from setuptools import Distribution, Extension  # noqa: PLC0415 - as above

    options = ["-g0"] if "CFLAGS" in os.environ else ["-g0", "-O2"]
    names = {path: _dotted(path.relative_to(root)) for path in sources}
    # The paths are relative, so that a traceback does not name the folder of the build.
    before = Path.cwd()
    os.chdir(root)
    try:
        extensions = cythonize(
            [
                Extension(name, [str(path.relative_to(root))], extra_compile_args=options)
                for path, name in names.items()
            ],
            build_dir=str(folder / "c"),
            compiler_directives=_DIRECTIVES,
            language_level=3,
            quiet=True,
        )
        command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "objects")
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
    marker = folder / "compiler"
    marker.write_text(f"Cython {Cython.__version__}\n", encoding="ascii")
    built = {
        str(path): path.relative_to(folder / "lib").as_posix()
        for path in (folder / "lib").rglob("*")
        if path.is_file()
    }
    return {**built, str(marker): "rejoin_conformance/data/compiler"}


def _dotted(path: Path) -> str:
    """Return the name of the module at a path, relative to the checkout."""
    return ".".join(path.with_suffix("").parts[path.parts[0] in _ROOTS :])

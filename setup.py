"""The wheel of the engine: ``core`` under an import name of its own, ``sentence_strata``.

A package called ``core`` would be in everybody's way, so that imports are written anew as files are built.
The dashboard is no part of it: it is run from the tree.
"""

import re
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

NAME = "sentence_strata"
ROOT = Path(__file__).parent

IMPORT = re.compile(r"^(\s*(?:>>> )?(?:from|import) )core(?=[. ])", re.MULTILINE)
COMMAND = re.compile(r"python -m core\b")


class UnderItsOwnName(build_py):
    """Builds the modules of ``core`` with the imports and the command of the distribution."""

    def build_module(self, module: str, module_file: str, package: str) -> tuple[str, bool]:
        """Copy a module, and write its imports anew."""
        target, copied = super().build_module(module, module_file, package)
        text = Path(target).read_text("utf-8")
        Path(target).write_text(COMMAND.sub("strata", IMPORT.sub(rf"\1{NAME}", text)), "utf-8")
        return target, copied


packages = ["core", *(f"core.{name}" for name in find_packages(str(ROOT / "core")))]
folders = {f"{NAME}{name.removeprefix('core')}": name.replace(".", "/") for name in packages}
setup(packages=list(folders), package_dir=folders, cmdclass={"build_py": UnderItsOwnName})

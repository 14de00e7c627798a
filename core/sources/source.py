"""What a recipe's ``source`` stands for, and the revision that names its content."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from core.corpora.corpus import Corpus
from core.encoders.bundled_encoders import DEFAULT
from core.encoders.models import Location, locate
from core.errors import ModelError, RecipeError, shorten
from core.recipe import SOURCE
from core.recipe.options import Choice
from core.sources.averaged import Averaged
from core.sources.doc2vec import Doc2Vec
from core.sources.random_table import RandomTable
from core.sources.word_vectors import VectorsFile, digest_of
from core.storage.files import Stamp, stamp_if_file
from core.storage.store import Store
from core.tokens.states import STATIC
from core.trust import FOLDERS, Trust


@dataclass(frozen=True, eq=False)
class Source:
    """What a recipe's ``source`` and ``template`` resolved to, with the revision that names its content.

    ``table`` is None for a model; ``learns`` is the corpus that a table is learnt from, if it is.
    ``location`` is the model whose tokenizer is used.
    """

    name: str
    revision: str
    location: Location
    template: str = ""
    table: RandomTable | Averaged | VectorsFile | Doc2Vec | None = None
    learns: Corpus | None = None

    @property
    def is_model(self) -> bool:
        """Whether token vectors come from a forward pass over the very text."""
        return self.table is None

    @property
    def content(self) -> str:
        """What vectors of a text depend on beside the text and the template."""
        return self.location.content if self.is_model else self.revision

    @property
    def layers(self) -> tuple[int, ...]:
        """The layer numbers it offers: static and 0 … L, or static alone for a table without context."""
        if isinstance(self.table, Averaged | None):
            return tuple(range(STATIC, self.location.depth + 1))
        return (STATIC,)

    @property
    def has_words(self) -> bool:
        """Whether texts are cut into the words of a file or corpus, and not by the model's tokenizer."""
        return isinstance(self.table, VectorsFile | Doc2Vec)

    @property
    def tokenization(self) -> tuple[str, ...]:
        """What the tokens of a text depend on beside the text."""
        if self.has_words:
            return (self.revision,)
        return (self.location.revision, str(self.location.max_tokens), self.template)

    def counts_of(self, corpus: Corpus) -> tuple[object, ...]:
        """What is counted of a corpus' tokens depends on this: they are read without template."""
        plain = replace(self, template="")
        return plain.tokenization, corpus.text_digest, corpus.repeats.tolist()

    @property
    def learnt_from(self) -> Corpus:
        """The corpus that the table is learnt from."""
        assert self.learns is not None  # noqa: S101  (find_source gives it to every table that learns)
        return self.learns


def find_source(choice: Choice, template: str, learns: Corpus | None, store: Store, trust: Trust) -> Source:
    """The source a recipe names; no weights are loaded.

    ``learns`` is the corpus that a source learns from; one that does not needs none.

    Raises
    ------
    ModelError
        The model or the file is not there, or may not be opened from here.
    RecipeError
        The source learns from a corpus, and none is given.
    """
    named = SOURCE.bind(choice)()
    if isinstance(named, str):
        location = locate(named, store.digest, trust)
        return Source(location.name, location.revision, location, template)
    if isinstance(named, Averaged):
        location, corpus = locate(named.model, store.digest, trust), _required(learns, choice)
        revision = f"{named} of {location.content} over {corpus.texts_fingerprint}"
        name = f"Avg. of {location.name} over {corpus.name}"
        return Source(name, revision, location, template, named, corpus)
    location, name = locate(DEFAULT, store.digest, trust), SOURCE.text(choice)
    if isinstance(named, Doc2Vec):
        return Source(name, str(named), location, "", named, _required(learns, choice))
    if isinstance(named, VectorsFile):
        paths = [_file(path, trust) for path in named.paths]
        digests = "+".join(digest_of(path, store)[:16] for path in paths)
        name = "+".join(Path(path).name for path in named.paths)
        file = replace(named, paths=tuple(map(str, paths)))
        return Source(name, f"sha256:{digests} {named.drop}", location, "", file)
    assert isinstance(named, RandomTable)  # noqa: S101
    revision = f"{named} over the vocabulary of {location.content}"
    return Source(name, revision, location, template, named)


def file_stamps(choice: Choice, trust: Trust) -> tuple[Stamp | None, ...]:
    """The stamps of the files that a source names; None for one that is not there. None is read."""
    named = SOURCE.bind(choice)()
    paths = map(trust.path, named.paths) if isinstance(named, VectorsFile) else ()
    return tuple(None if path is None else stamp_if_file(path) for path in paths)


def _file(text: str, trust: Trust) -> Path:
    """The file that ``text`` names; refused alike whether it is there when it may not be opened."""
    if (path := trust.path(text)) is None:
        raise ModelError(
            f"{shorten(text)} may not be opened from here: a page opens files in the folders that "
            f"{FOLDERS} lists."
        )
    return path


def _required(corpus: Corpus | None, choice: Choice) -> Corpus:
    if corpus is None:
        raise RecipeError(f"source={choice.name} is learnt from a corpus; name one.")
    return corpus

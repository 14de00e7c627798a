"""The reference corpora that recipes learn from, as their models can read them."""

from __future__ import annotations

from core.corpora.built_in import BUILT_IN_ORIGIN
from core.corpora.corpus import Corpus
from core.corpora.units import LINE, split_unit
from core.errors import StrataError, counted
from core.pipeline import sentences
from core.pipeline.corpora import Corpora
from core.progress import Heard, Progress, silent
from core.recipe import SOURCE, Recipe
from core.sources.averaged import Averaged
from core.sources.passes import Passes
from core.sources.random_table import RandomTable
from core.sources.source import Source


class References:
    """Gives the reference of a recipe, and says whether that takes time."""

    def __init__(self, corpora: Corpora, passes: Passes) -> None:
        self._corpora, self._passes = corpora, passes

    def of(self, recipe: Recipe, progress: Progress = silent) -> Corpus:
        """The reference corpus of a recipe, all splits; texts longer than its model takes in pieces."""
        corpus = self._corpora.texts(_name(recipe), progress)
        source = self._reader(recipe)
        if source is None:
            return corpus
        heard = Heard(progress)
        return self._corpora.memory.get(
            _cut_for(source, corpus), lambda: self._passes.in_pieces(source, corpus, heard), heard
        )

    def fingerprint(self, recipe: Recipe) -> str:
        """The fingerprint of :meth:`of`; empty for a recipe that learns nothing from it."""
        return self.of(recipe).fingerprint if recipe.needs_reference() else ""

    def as_given(self, recipe: Recipe) -> Corpus:
        """The reference corpus of a recipe as its file has it: by lines, none of them cut."""
        return self._corpora.texts(split_unit(_name(recipe))[0])

    def at_hand(self, recipe: Recipe) -> bool:
        """Whether :meth:`of` takes no time, or the recipe learns nothing from a reference.

        Finding the sentences of WikiText-2 takes a minute, cutting its long ones for a model seconds.
        Raises what :meth:`of` raises.
        """
        if not recipe.needs_reference():
            return True
        if self.splitting_seconds(recipe):
            return False
        source = self._reader(recipe)
        if source is None:
            return True
        corpus = self._corpora.texts(_name(recipe))
        if self._corpora.memory.peek(_cut_for(source, corpus)) is not None:  # else every text is looked at
            return True
        return self._passes.is_cut(source, corpus)

    def splitting_seconds(self, recipe: Recipe) -> float:
        """About how long finding the sentences of a recipe's reference takes; 0 where there is no need to.

        Raises what :meth:`of` raises.
        """
        if not recipe.needs_reference() or split_unit(_name(recipe))[1] == LINE:
            return 0.0
        return sentences.splitting_seconds(self._passes.store, self.as_given(recipe))

    def notes(self, recipe: Recipe) -> tuple[str, ...]:
        """What a reader must know of what a recipe learns from: that the reference is a demonstration.

        Empty for a recipe that learns nothing from it. Raises :class:`CorpusError` when there is none.
        """
        if not recipe.needs_reference() or (reference := self.of(recipe)).origin != BUILT_IN_ORIGIN:
            return ()
        size = counted(len(reference.sentences), "sentence")
        return (
            f"The reference {reference.name} is a demonstration ({size}), built in: for results like the "
            "papers', learn from a corpus such as theirs (reference=wikitext-2).",
        )

    def _reader(self, recipe: Recipe) -> Source | None:
        """A source with the tokenizer of a recipe's, that learns nothing; None where it cannot be found."""
        named, choice = SOURCE.bind(recipe.source)(), recipe.source
        if isinstance(named, Averaged):
            choice = SOURCE.choice_of(named.model)
        elif not isinstance(named, str | RandomTable):
            return None
        try:
            return self._passes.source(choice)
        except StrataError:  # whoever reads with it is told why
            return None


def _name(recipe: Recipe) -> str:
    return str(recipe.reference.arguments[0][1])


def _cut_for(source: Source, corpus: Corpus) -> tuple[object, ...]:
    """What a corpus in pieces is found by in memory: it keeps all but the pairs of the corpus.

    One of which no text is too long is that corpus itself, with its pairs.
    """
    about = (corpus.name, corpus.origin, corpus.notes, corpus.scale)
    return ("pieces", *source.tokenization, *about, corpus.labelled_fingerprint)

"""The corpora of an installation: whole, one split, or their sentences."""

from __future__ import annotations

from core.corpora.catalogue import Catalogue
from core.corpora.corpus import Corpus
from core.corpora.given import LARGEST
from core.corpora.units import LINE, split_unit
from core.errors import ScaleError
from core.pipeline.sentences import by_sentence
from core.progress import Heard, Progress, silent
from core.storage.memo import Memo
from core.storage.store import Store


class Corpora:
    """Gives corpora by name; ``memory`` keeps them, and those that are made of them."""

    def __init__(self, catalogue: Catalogue, store: Store, limit: int) -> None:
        self._catalogue, self._store = catalogue, store
        self.memory: Memo[Corpus] = Memo(limit)

    def get(
        self,
        name: str,
        split: str | None = None,
        scale: tuple[float, float] | None = None,
        progress: Progress = silent,
    ) -> Corpus:
        """A corpus by name or path; see :meth:`~core.pipeline.engine.Engine.corpus`."""
        name, unit = split_unit(name)
        entry = (name, *self._catalogue.stamp(name), scale)
        whole = self.memory.get(entry, lambda: self._catalogue.load(name, scale))
        if unit == LINE:
            return self.memory.get(("split", entry, split), lambda: whole.take(split))
        heard = Heard(progress)  # a split may have the name of a unit
        return self.memory.get(("unit", entry, unit), lambda: by_sentence(self._store, whole, heard), heard)

    def texts(self, name: str, progress: Progress = silent) -> Corpus:
        """A corpus of which the texts are wanted, all splits: gold scores may be on any scale."""
        try:
            return self.get(name, "all", progress=progress)
        except ScaleError as error:
            try:
                return self.get(name, "all", (-LARGEST, LARGEST), progress)
            except ScaleError:
                raise error from None

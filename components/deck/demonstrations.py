"""Decks that come along, one a paper: what it claims, and what the built-in models and corpora show.

The claims are the papers'; each figure's title is its own finding. ``python -m components demonstrations``
draws the decks anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from components.deck import changes, files
from components.deck.document import Deck, PinnedFigure, Slide, new_id
from core.literature.tables.papers import paper

FOLDER = Path(__file__).parent / "demonstrations"

STARTS_ON = {"corpus": "demo", "split": "test"}
"""What every link says, so that it means the same when another corpus is arrived on."""


@dataclass(frozen=True)
class Shown:
    """A figure of a page under some settings, and what to say with it."""

    page: str
    key: str
    note: str
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Demonstration:
    """A deck: the number of its paper, what that claims as Markdown, and what is seen here."""

    number: str
    claims: str
    shown: tuple[Shown, ...]

    @property
    def citation(self) -> str:
        """The paper's authors and year."""
        return paper(self.number).citation

    @property
    def title(self) -> str:
        """The paper with its authors."""
        return f"{self.citation}: {paper(self.number).title}"

    @property
    def path(self) -> Path:
        """The file that comes along."""
        return FOLDER / f"{self.number}.json"

    def deck(self) -> Deck:
        """The deck that comes along. Raises DeckError where its file cannot be read."""
        return files.read(self.path.read_bytes(), checked=False)


_STATIC = "source=untuned;layers=static;tokens=content;weight=sif(punctuation=unknown)"
_SIF_AND_S3E = {"a": f"{_STATIC};post=ccr", "b": f"{_STATIC};pool=s3e(k=50,form=released)"}

DEMONSTRATIONS = (
    Demonstration(
        "000",
        "* A model that is not tuned for sentences has more in it than the mean of its last layer shows.\n"
        "* Averaging each token over its contexts gives static vectors, and mixing them in can help.\n"
        "* Weights and post-processing repair most of the shape of the space; even random vectors do well "
        "with them.",
        (
            Shown(
                "mixing",
                "mixing",
                "Rows are the share of Avg., columns the layers it is mixed with; the curve follows w.",
            ),
            Shown("mixing", "mixing.best", "For each choice of layers the best share, and its gain."),
            Shown(
                "geometry", "alignment", "Lower is better on both axes; arrows go from plain to variants."
            ),
            Shown("geometry", "isoscore", "Is a more isotropic space a better one?"),
            Shown(
                "tokens", "tokens.map", "Static token vectors: near each other by meaning, or by frequency?"
            ),
            Shown("methods", "gains", "What each published method gains over plain mean, on both models."),
            Shown(
                "papers",
                "papers.table",
                "The table as it is printed; on the page its cells can be computed here.",
                {"paper": "Stankevičius & Lukoševičius 2025"},
            ),
        ),
    ),
    Demonstration(
        "001",
        "* Layers hold different properties of a word: none is best for all.\n"
        "* Words that change unevenly from layer to layer carry more of the meaning.\n"
        "* SBERT-WK weights layers by alignment and novelty, and words by their variance over layers.",
        (
            Shown(
                "layers",
                "evolution",
                "Cosine of each layer with each other, over a corpus; it walks through the layers.",
            ),
            Shown("layers", "hops", "How far states are apart by the number of layers between them."),
            Shown("layers", "layer.curve", "Is the last layer the best here?"),
            Shown("layers", "layer.grid", "Does a pair of layers beat each of the two?"),
            Shown("layers", "words", "Rare words against frequent ones."),
            Shown("layers", "alphas", "The weights that SBERT-WK gives one word's layers."),
        ),
    ),
    Demonstration(
        "002",
        "* Sentence vectors of pretrained models are biased towards words that say little.\n"
        "* The diagonal of some attention heads tells how important a word is, much as tf-idf does.\n"
        "* As a weight it improves similarity without any training.",
        (
            Shown("heads", "heads.tiles", "Every head of one sentence; the framed one serves as weight."),
            Shown("heads", "heads.diagonals", "How much each token attends to itself, head by head."),
            Shown("heads", "heads.words", "Which heads go with tf-idf."),
            Shown("heads", "heads.scores", "Chosen on dev, shown on test."),
            Shown("masking", "impact", "How far hiding one word moves the others."),
            Shown("masking", "importance", "The same as importance of words, against idf."),
            Shown("scores", "subsets", "A is the plain mean, B has Ditto and z-score."),
        ),
    ),
    Demonstration(
        "003",
        "* Words of a sentence fall into groups of meaning.\n"
        "* S3E sums each group's words by weight, and joins their mean and how the groups vary together.\n"
        "* It needs word vectors alone and is fast.",
        (
            Shown(
                "methods", "published", "Printed scores beside the one here.", {"method": "S3E, released"}
            ),
            Shown("tokens", "tokens.map", "The vectors that are grouped: rows of the word embedding."),
            Shown("papers", "papers.table", "The table as it is printed.", {"paper": "Wang et al. 2020"}),
            Shown(
                "scores", "subsets", "A is SIF, B is S3E, both on the same static vectors.", _SIF_AND_S3E
            ),
            Shown(
                "tasks",
                "tasks.map",
                "The same two on similarity, classification and clustering.",
                _SIF_AND_S3E,
            ),
        ),
    ),
    Demonstration(
        "004",
        "* Cosines of pretrained models are all high: their vectors lie in a narrow cone.\n"
        "* Whitening and flows spread the vectors; contrastive tuning also brings paraphrases closer.\n"
        "* Alignment and uniformity measure the two.",
        (
            Shown("compare", "compare", "The same sentences under a plain and a shaped recipe."),
            Shown("geometry", "layers", "Cosine of random sentences, layer by layer."),
            Shown("geometry", "densities", "How far paraphrases and unrelated pairs overlap."),
            Shown(
                "geometry",
                "whitening",
                "How many dimensions whitening should keep; with k the cosines of the pairs move.",
            ),
            Shown("geometry", "alignment", "Both measures at once; lower is better."),
            Shown(
                "tokens",
                "sentences.map",
                "Sentences from layer to layer under a plain and a shaped recipe.",
                {"part": "sentences"},
            ),
            Shown("papers", "papers.table", "Scores as the slides print them.", {"paper": "Lu 2023"}),
        ),
    ),
)
"""Five papers in five minutes."""


def figure(shown: Shown) -> PinnedFigure:
    """The figure as it is drawn now. Raises DeckError where it is not."""
    from components.deck import redraw  # it runs pages, which a page that offers the decks does not

    link = f"{shown.page}?{urlencode({**STARTS_ON, **shown.settings})}"
    nothing = {"data": [], "layout": {}}
    return redraw.draw(PinnedFigure(shown.page, shown.key, "", "", (), "", link, {}, {}, 400, nothing))


def build(one: Demonstration, tell: Callable[[str], None]) -> Deck:
    """A demonstration drawn anew."""
    tell(one.title)
    deck = Deck(one.title)
    deck = changes.add(deck, Slide(new_id(), one.title, text=f"What it claims\n\n{one.claims}"))
    for shown in one.shown:
        drawn = figure(shown)
        tell(f"  {drawn.title}")
        deck = changes.pin(deck, drawn)
        deck = changes.edit(deck, deck.slides[-1].id, note=shown.note)
    return Deck(deck.title, deck.slides, deck.figures)


def build_all(tell: Callable[[str], None]) -> None:
    """Draw all anew and write them where they come along."""
    FOLDER.mkdir(exist_ok=True)
    for one in DEMONSTRATIONS:
        one.path.write_bytes(files.write(build(one, tell)))

"""The page Geometry: its head, its pins, and the recipes that are measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import pandas as pd

from components import job, names, pins, provenance, works
from components.controls import segments
from components.errors import attempt
from components.explain import heading
from components.provenance import Summary
from core.analysis.geometry import of_recipe
from core.analysis.geometry.of_recipe import RecipeGeometry
from core.analysis.geometry.ratings import DEFINITIONS
from core.corpora.corpus import Corpus
from core.errors import StrataError, counted
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe, defaults
from core.recipe.plan import Plan
from core.work import Work

PLAIN = "first+last mean"
"""Label of the recipe that suggestions vary: the defaults on A's source, template and reference."""

SHOWN = ("pinned and suggested", "pinned", "suggested")
"""Which recipes are measured beside A and B, where some are pinned."""

KEY = "geometry.shown"
"""Key of the choice of :data:`SHOWN`, and its query parameter."""


@dataclass(frozen=True)
class Chosen:
    """The recipes that are measured beside A and B: the pins, and whether suggestions are among them.

    ``called`` are names of the pins, as on the page Tasks.
    """

    pinned: tuple[Recipe, ...]
    suggested: bool
    called: tuple[str, ...] = ()

    def by_label(self, a: Recipe) -> tuple[dict[str, Recipe], frozenset[str]]:
        """All by their labels, and the labels of the pins; the first is what arrows start from.

        Pins have their names, suggestions what differs from the plain recipe on A's model.
        """
        plain, variants = of_recipe.suggested(a)
        suggested = {PLAIN: plain} | {of_recipe.changed_stages(plain, one): one for one in variants}
        wanted = {
            label: one
            for label, one in suggested.items()
            if self.suggested and (label == PLAIN or one not in self.pinned)
        }
        for name, recipe in zip(self.called, self.pinned, strict=True):
            if recipe != wanted.get(PLAIN):
                taken = name in wanted or name in provenance.SIDES
                wanted[f"{name} ({len(wanted) + 1})" if taken else name] = recipe
        return wanted, frozenset(label for label, recipe in wanted.items() if recipe in self.pinned)


@dataclass(frozen=True, eq=False)
class Measured:
    """Recipes with their measures, by label, and why others could not be measured.

    ``sides`` says which label is recipe A or B, ``base`` which one arrows start from; ``suggested`` that
    the page's own recipes are among them, ``pinned`` which ones are pins. ``wanted`` are the labels that
    arrows can start from, measured already or not; ``revisions`` are their models with the states of
    their files.
    """

    places: dict[str, RecipeGeometry]
    sides: dict[str, str]
    base: str | None
    failed: dict[str, str]
    suggested: bool
    wanted: tuple[str, ...] = ()
    pinned: frozenset[str] = frozenset()
    revisions: Mapping[str, str] = field(default_factory=dict)

    def only(self, labels: Iterable[str]) -> Measured:
        """The same with these recipes alone: what one figure draws, for its caption."""
        return replace(self, places={label: self.places[label] for label in labels})

    def variants(self, base: str | None) -> list[str]:
        """The recipes that arrows from ``base`` go to: on its model, and not recipe A or B alone."""
        if base not in self.places:
            return []
        model = self.places[base].model
        return [
            label
            for label, place in self.places.items()
            if label != base and self.sides.get(label) != label and place.model == model
        ]

    def kind(self, label: str) -> str:
        """``pinned`` or ``suggested``; empty for recipe A or B where it is neither."""
        if label in self.pinned:
            return "pinned"
        return "suggested" if self.suggested and self.sides.get(label) != label else ""


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Geometry",
        "How do sentence vectors lie in their space, and does that go with better scores?",
        "- **Alignment** is the mean squared distance of positive pairs, **uniformity** the logarithm of "
        "the mean of exp(−2 × squared distance) over all pairs of sentences (Wang & Isola 2020); lower "
        "is better for both.\n"
        "- **Two definitions**: SimCSE and Ditto take unit vectors and pairs of gold > 4; Stankevičius & "
        "Lukoševičius 2025 take vectors as they are and pairs of gold 5. **As they are, both depend on "
        "the vectors' scale**: a recipe that shrinks all vectors is better aligned and less uniform "
        "without any change of similarities, and far vectors leave uniformity to the few closest pairs.\n"
        "- **IsoScore** (Rudman et al. 2022) is 1 when the variance is the same in every dimension. It "
        "grows with the number of sentences, so compare it at equal N; whitening makes it 1 by "
        "construction.\n"
        "- **Average cosine** is that of two different sentences (Ethayarajh 2019).\n"
        "- **Plain** is mean pooling on A's model; a **variant** has one or two other stages.\n\n"
        "None of these measures quality: they describe the space, and the score says what it is good "
        "for. A correlation over a handful of recipes, chosen by hand, is no more than a hint.",
    )


def choose(a: Recipe, b: Recipe | None) -> Chosen:
    """The pinned recipes, with the controls to pin others, and whether suggestions stand beside them."""
    pinned = pins.show(a, b)
    if not pinned:
        return Chosen((), suggested=True)
    shown = segments(
        "Recipes beside A and B", SHOWN, KEY, label_visibility="collapsed", persist_state="session"
    )
    if shown == SHOWN[2]:
        return Chosen((), suggested=True)
    return Chosen(tuple(pinned), shown != SHOWN[1], tuple(names.called(pinned)))


def own(a: Recipe, b: Recipe | None) -> dict[str, Recipe]:
    """Recipes A and B by their sides."""
    return {"A": a} | ({"B": b} if b else {})


@dataclass(frozen=True, eq=False)
class Measuring:
    """The work of the page's recipes: their vectors by side, and their measures by recipe.

    ``wanted`` are the recipes beside A and B by label, the first is what arrows start from, ``pinned`` the
    labels of pins, and ``own`` recipes A and B by side.
    """

    own: dict[str, Recipe]
    wanted: dict[str, Recipe]
    pinned: frozenset[str]
    embedding: dict[str, Work[bool]]
    measuring: dict[Recipe, Work[RecipeGeometry]]


def begin(engine: Engine, corpus: Corpus, chosen: Chosen, a: Recipe, b: Recipe | None) -> Measuring:
    """Begin to measure recipes A and B, which the first figure waits for; the others begin where shown."""

    def embed(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress) -> bool:
        if not works.has_stored_similarities(engine, recipe, corpus):
            engine.embed(recipe, corpus, progress)
        return True

    recipes = own(a, b)
    wanted, pinned = chosen.by_label(a)
    stored = works.has_stored_similarities
    embedding = works.on_sides("vectors", "Vectors", engine, recipes, corpus, embed, stored=stored)
    measuring = {
        recipe: works.recipe_work(
            "place",
            f"Measuring {name}",
            engine,
            recipe,
            corpus,
            partial(of_recipe.measure_recipe, engine, recipe, corpus),
            kept=works.if_kept(partial(of_recipe.is_measured, engine, recipe, corpus)),
        )
        for name, recipe in (wanted | recipes).items()
    }
    job.ahead([*embedding.values(), *(measuring[recipe] for recipe in recipes.values())])
    return Measuring(recipes, wanted, pinned, embedding, measuring)


def foresee(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress) -> None:
    """Store what the first figures of this recipe show: its measures, and isotropy by layer."""
    of_recipe.measure_recipe(engine, recipe, corpus, progress)
    if not Plan.of(recipe).trained:
        of_recipe.by_layer(engine, recipe, corpus, progress)


def measure(
    engine: Engine, corpus: Corpus, chosen: Chosen, begun: Measuring
) -> tuple[dict[str, Recipe], Measured | None]:
    """Recipes A and B that can be drawn, and the measures that are there; None before the first.

    Measured are the chosen pins and suggestions on the model of recipe A, and recipes A and B. The page
    says why A or B has no vectors.
    """
    wanted, own_labels = dict(begun.wanted), tuple(begun.wanted)
    jobs = job.show_each(
        begun.embedding | begun.measuring,
        lambda: works.reading(engine, list(begun.measuring), corpus),
        key="geometry",
    )
    sides = {
        side: recipe
        for side, recipe in begun.own.items()
        if attempt(side.lower(), recipe, jobs[side].value)
    }
    labels: dict[str, str] = {}
    for side, recipe in sides.items():
        name = next((name for name, other in wanted.items() if other == recipe), side)
        wanted[name] = recipe
        labels.setdefault(name, side)
    places: dict[str, RecipeGeometry] = {}
    failed: dict[str, str] = {}
    for name, recipe in wanted.items():
        try:
            place = jobs[recipe].value()
        except StrataError as error:
            failed[name] = str(error)
        else:
            places |= {name: place} if place else {}
    if not places and not failed:
        return sides, None
    models = provenance.told_apart(
        {name: (place.model, place.recipe.spelled()["source"]) for name, place in places.items()}
    )
    places = {name: replace(place, model=models[name]) for name, place in places.items()}
    base = own_labels[0] if own_labels[0] in places else None
    revisions = {
        name: provenance.model(engine.source(place.recipe, corpus)) for name, place in places.items()
    }
    return sides, Measured(
        places, labels, base, failed, chosen.suggested, own_labels, begun.pinned, revisions
    )


def recipe_lines(measured: Measured) -> list[str]:
    """The caption lines that name every recipe under its label; ``measured`` is what the figure draws."""
    kinds = {name: measured.kind(name) for name in measured.places}
    pinned = [name for name, kind in kinds.items() if kind == "pinned"]
    suggested = [name for name, kind in kinds.items() if kind == "suggested"]
    lines = []
    if pinned:
        both = [measured.places[name].recipe.label() for name in pinned]
        lines.append(
            "Pinned: " + " | ".join(f"{text} ({name})" for name, text in zip(pinned, both, strict=True))
        )
    if suggested:
        lines.append("Suggested: " + " · ".join(suggested))
    if PLAIN in measured.places:
        rest = str(measured.places[PLAIN].recipe)
        lines.append(f"{PLAIN}: {defaults()}" + (f"; {rest}" if rest else ""))
    for name, side in measured.sides.items():
        if name in measured.places:
            lines.append(provenance.recipe_line(side, measured.places[name].recipe))
    return lines


def provenance_line(corpus: Corpus, measured: Measured, *parts: str) -> str:
    """The models of what the figure draws, of A and B by side, and the corpus."""
    drawn = {name: model for name, model in measured.revisions.items() if name in measured.places}
    own = {side: drawn[name] for name, side in measured.sides.items() if name in drawn}
    others = [model for model in drawn.values() if model not in own.values()]
    models = filter(None, (provenance.of_sides(own), *others))
    return provenance.line(models, corpus, provenance.pairs(corpus), *parts)


def summary(corpus: Corpus, measured: Measured) -> Summary:
    """How many recipes are drawn, of which models on which corpus; recipes A and B by their names."""
    own = {side: measured.places[name] for name, side in measured.sides.items() if name in measured.places}
    others = sorted({place.model for place in measured.places.values()})
    return provenance.summary(
        "geometry",
        {side: place.recipe for side, place in own.items()},
        {name: name for name in others},
        provenance.split(corpus),
        counted(len(measured.places), "recipe"),
    )


def numbers(measured: Measured) -> pd.DataFrame:
    """One row for each recipe."""
    rows = []
    for label, place in measured.places.items():
        row = {"label": label, "recipe": place.recipe.label(), "model": place.model}
        for name in DEFINITIONS:
            row |= {
                f"alignment, {name}": place.alignment[name],
                f"uniformity, {name}": place.uniformity[name],
            }
        row |= {"IsoScore": place.iso_score, "average cosine": place.average_cosine}
        rows.append(row | {"spearman": place.spearman, "low": place.low, "high": place.high})
    return pd.DataFrame(rows)

"""Names of recipes: presets by name, others in short words, different recipes under different names."""

import itertools

import pytest

from core.literature.presets import PRESETS
from core.literature.presets.naming import name, names, preset_name, value_name
from core.recipe import SOURCE, STAGES, Recipe

SAID = {"Last layer, mean": "last layer, mean"}
"""A preset that is called what its recipe does, as recipes' names have it."""


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_has_its_name_on_any_model_and_reference(preset):
    base = Recipe.parse("source=untuned;reference=topics")
    recipe = preset.apply(base)
    assert preset_name(recipe) == preset.name
    assert name(recipe) == SAID.get(preset.name, preset.name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("layers=last;weight=idf", "last layer, idf"),
        ("layers=5", "layer 5, mean"),
        ("layers=2+5;weight=idf;post=whiten(k=64)", "layers 2+5, idf, whitening k=64"),
        ("weight=idf;post=normalize+abtt(d=3)", "first+last, idf, normalize, ABTT d=3"),
        ("layers=last;weight=ditto(layer=5,head=4)", "last layer, Ditto layer=5 head=4"),
        ("layers=static+last;pool=max", "static+last, max pooling"),
        ("layers=last;weight=idf;pool=max;post=zscore", "last layer, max pooling, z-score"),  # no weights
        ("layers=last;pool=cls;similarity=dot", "last layer, [CLS], dot"),
        ("layers=last;tokens=content;weight=idf;pool=cls;similarity=dot", "last layer, [CLS], dot"),
        ("layers=all;tokens=content;mix=averaged(w=0.3)", "all layers, content tokens, + Avg. w=0.3"),
        ("layers=2;mix=averaged(w=-0.25)", "layer 2, + Avg. w=−0.25"),
        ("layers=2;tokens=without", "layer 2, without frequent + pieces + punctuation"),
        ("layers=2;tokens=without(kinds=uppercase)", "layer 2, without uppercase"),
        ("layers=2;tokens=noseparator", "layer 2, no separator tokens"),
        ("layers=2;template=T1;tokens=nomask", "layer 2, T1, no mask tokens"),
        ('template="[X] is";layers=last', "last layer, “[X] is”"),
        ("layers=wk;weight=idf", "SBERT-WK, idf"),
        ("layers=last", "last layer, mean"),  # the preset's words, written as those of others
    ],
)
def test_another_recipe_is_named_by_its_steps(text, expected):
    assert name(Recipe.parse(text)) == expected


@pytest.mark.parametrize("source", ["random(seed=1)", "vectors(path=glove.txt)", "doc2vec(dim=50)"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "mean"),
        ("layers=last;weight=idf", "idf"),
        ("tokens=content;post=zscore", "content tokens, z-score"),
        ("tokens=content;weight=sif(punctuation=unknown);post=ccr", "SIF"),
    ],
)
def test_a_source_with_one_layer_has_none_in_its_name(source, text, expected):
    assert name(Recipe.parse(f"source={source};{text}")) == expected


def test_every_option_has_a_name_of_its_own_in_its_stage():
    for stage in STAGES.values():
        titles = [option.title for option in stage]
        assert len(set(titles)) == len(titles), stage.name


def test_a_name_says_the_source_where_sources_differ_and_the_recipe_does_not():
    recipes = ["layers=last", "source=untuned;layers=last", "source=random;tokens=content"]
    assert names([Recipe.parse(text) for text in recipes]) == [
        "last layer, mean · bundled",
        "last layer, mean · untuned",
        "Random embeddings (RE)",
    ]


def test_recipes_alike_but_for_what_they_learn_from_are_told_apart():
    target, reference, topics = names(
        [
            Recipe.parse("layers=2;post=abtt"),
            Recipe.parse("layers=2;post=abtt(fit=reference)"),
            Recipe.parse("layers=2;post=abtt(fit=reference);reference=topics"),
        ]
    )
    assert "ABTT of the target" in target
    assert "ABTT of the reference, reference demo" in reference
    assert "ABTT of the reference, reference topics" in topics


def test_the_same_recipe_twice_has_one_name():
    recipe = Recipe.parse("layers=2;post=abtt")
    assert names([recipe, recipe]) == ["layer 2, ABTT"] * 2


def test_different_recipes_never_share_a_name():
    layers = ("last", "static", "1+2", "wk")
    posts = ("none", "zscore", "zscore(fit=reference)", "zscore+abtt", "whiten(k=3,fit=reference)")
    weights = ("uniform", "idf", "idf(fit=reference)", "ditto(layer=1,head=2)")
    references = ("demo", "topics")
    recipes = [
        Recipe.parse(f"layers={a};post={b};weight={c};reference={d}")
        for a, b, c, d in itertools.product(layers, posts, weights, references)
    ]
    given = names(recipes)
    assert len(set(given)) == len(recipes)


def test_names_tell_their_source_where_that_is_asked_for():
    recipes = [Recipe.parse(f"source=untuned;{text}") for text in ("layers=last;pool=cls", "layers=5")]
    assert names(recipes) == ["[CLS]", "layer 5, mean"]
    assert names(recipes, tell_sources=True) == ["[CLS] · untuned", "layer 5, mean · untuned"]


def test_a_file_or_folder_is_called_by_the_last_part_of_its_path():
    written = (
        "source=/srv/models/encoder;layers=last",
        "source=~/models/decoder;layers=last",
        "source=averaged(model=../models/encoder);layers=last",
        'source=vectors(path="/srv/own vectors/glove.txt");layers=last',
        "source=sentence-transformers/all-MiniLM-L6-v2;layers=last",
    )
    sources = ["encoder", "decoder", "averaged(model=encoder)", 'vectors(path="glove.txt")']
    sources.append("sentence-transformers/all-MiniLM-L6-v2")
    recipes = [Recipe.parse(text) for text in written]
    layered = "last layer, mean"
    assert names(recipes) == [
        f"{'mean' if source.startswith('vectors') else layered} · {source}" for source in sources
    ]
    assert value_name(SOURCE, recipes[3].source) == "vectors path=glove.txt"
    alike = [Recipe.parse(f"source=/{folder}/encoder;layers=last") for folder in "ab"]
    assert names(alike) == ["source=/a/encoder;layers=last", "source=/b/encoder;layers=last"]

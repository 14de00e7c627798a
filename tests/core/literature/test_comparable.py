"""The published methods that are compared with plain mean pooling."""

from core.literature.presets.comparable import PLAIN, comparable, plain_mean
from core.recipe import Recipe


def test_methods_are_compared_that_need_nothing_and_run_on_any_encoder():
    for source in ("bundled", "untuned"):
        base = Recipe.parse(f"source={source};reference=topics;pool=max")
        recipes = comparable(base)
        assert len(recipes) >= 50
        assert plain_mean(base).spelled() == Recipe.parse(PLAIN).spelled() | {
            "source": source,
            "reference": "topics",
        }
        for recipe in recipes.values():
            assert recipe.spelled()["source"] == source
            assert recipe.spelled()["reference"] == "topics"
            assert recipe != plain_mean(base)

"""What cannot be done is said in one line: what, what was got, and what is allowed or what to do."""

import pytest

from core.cli import main


@pytest.fixture
def refused(table, tmp_path, monkeypatch, capsys):
    """The one line that scoring a recipe ends with."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "three.txt").write_text("A girl sat.\nTwo men ran.\nThe dog plays.\n")
    (tmp_path / "greek.vec").write_text("alpha 1 2 3\nbeta 2 3 4\n")

    def line(recipe: str) -> str:
        assert main(["score", "--quiet", "--recipe", recipe, "--corpus", str(table)]) == 2
        out, err = capsys.readouterr()
        assert not out
        assert err.count("\n") == 1
        return err

    return line


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ("template=T5", "template: no 'T5'. Allowed: none, T0"),
        ('template="no place"', "or your own text with [X], where the sentence goes"),
        ('template="[X] and [X]"', "got [X] 2 times"),
        ('template="[X] [X.]"', "got [X] 2 times"),
        (f'template="{"so " * 120}[X]"', "tokens long by itself; the model reads at most 96"),
        ("tokens=mask", "needs a template with [MASK]"),
        ('tokens=mask;template="so [X]"', "needs a template with [MASK]"),
        ("weight=ditto(layer=9,head=1)", "got 9; this model has 3, allowed is 1 to 3"),
        ("weight=ditto(layer=1,head=12)", "got 12; this model has 4, allowed is 1 to 4"),
        ("weight=ditto(layer=0)", "got '0'"),
        (
            "weight=variance(start=2)",
            "fewer than three layers, and so no two cosines that could differ; allowed is 0 to 1",
        ),
        ("weight=sif(a=0)", "allowed is a: number"),
        ("weight=sif(fit=wikipedia)", "allowed is fit: wordfreq or target or reference"),
        ("layers=wk(start=3)", "fewer than two of this model's layers"),
        ("layers=wk+last", "stands alone"),
        ("layers=wk(window=0)", "allowed is window: whole number from 1"),
        ("pool=s3e(k=60)", "fit=reference"),
        ('pool=pmeans(p="one")', "pmeans"),
        ("pool=dct(k=0)", "allowed is k: whole number from 1"),
        ("mix=averaged(w=much)", "got 'much'; allowed is w: number from -1 to 1.5"),
        ("mix=averaged(w=nan)", "got 'nan'"),
        ("mix=averaged(w=2)", "got '2'"),
        ("mix=averaged;weight=ditto(layer=1,head=1)", "have none"),
        ("pool=s3e(k=20,fit=reference);reference=three.txt", "Take a larger reference"),
        ("pool=gem(fit=reference);reference=three.txt", "Take a larger reference"),
        ("post=flow(fit=reference);reference=three.txt", "from 3 different sentences; it needs 30"),
        ("post=pccr(fit=reference);reference=three.txt", "from 3 different sentences; it needs 30"),
        ("post=ccr(d=0)", "allowed is d: whole number from 1"),
    ],
)
def test_a_model_s_recipe_is_refused(recipe, said, refused, bert):
    assert said in refused(f"{bert};{recipe}")


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ("source=vectors", "path"),
        ("source=vectors(path=nowhere.txt)", "'nowhere.txt' does not exist"),
        ("source=vectors(path=.)", "is a folder"),
        ("source=vectors(path=three.txt)", "three.txt"),
        (
            "source=vectors(path=greek.vec)",
            "token that source=vectors(path=greek.vec) knows, so there is nothing to embed; take another",
        ),
        ("source=vectors(path=greek.vec);layers=3", "has one layer only"),
        ("source=random;weight=ditto(head=1)", "have none; take another weight"),
        ("source=random;weight=variance", "looks at a model's layers, and"),
        ("source=random;layers=wk", "has one layer only"),
        ("source=random;mix=averaged", "needs a model as source; got source=random"),
        ("source=averaged(model=nowhere/at-all)", "nowhere/at-all"),
        ("source=averaged;reference=nowhere.txt", "nowhere.txt"),
        ("source=doc2vec(least=1000)", "take a smaller least"),
        ("source=doc2vec(fit=reference);reference=three.txt", "Take a larger reference"),
    ],
)
def test_a_source_is_refused(recipe, said, refused):
    assert said in refused(recipe)


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_a_model_without_mask_token_refuses_mask_alone(family, model, refused):
    for tokens in ("mask", "nomask"):
        assert "a model with a mask token" in refused(f"source={model(family)};template=T0;tokens={tokens}")

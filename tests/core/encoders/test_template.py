"""Sentences in templates: the texts, the tokens the model's own tokenizer gives, and whose each one is."""

from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer as Backend
from tokenizers import models, pre_tokenizers, processors
from transformers import AddedToken, AutoTokenizer, PreTrainedTokenizerFast

from core.corpora.corpus import Corpus
from core.encoders.template import MASK, with_ending
from core.encoders.tokenizer import Tokenizer
from core.errors import RecipeError
from core.recipe import TEMPLATE, Recipe
from core.recipe.options import Choice
from core.tokens import Tokens
from tests.core.helpers.reference import one_at_a_time
from tests.core.helpers.texts import ODD, many
from tests.core.helpers.tiny import FAMILIES, LIMIT

NAMED = {
    "T0": 'This sentence: "[X]" means [MASK].',
    "T1": 'This sentence: "[X]" means [MASK][MASK].',
    "T2": 'This sentence: "[X]" means "[MASK][MASK]" and is about [MASK].',
    "T3": 'This sentence from the paraphrase dictionary: "[X]" means "[MASK]", which is about [MASK].',
    "T4": 'This sentence from the dictionary: "[X]" means "[MASK]" and is about [MASK], '
    "which is a synonym for [MASK].",
}
OWN = (
    *("[MASK] is [X]", "[MASK][X]", "[X][MASK]", "[X] [MASK]", "[MASK] [X] and [MASK]  [MASK]"),
    *("a dog [X]", "[X]", "  [X]  ", "so: [X.] – [MASK]", "pre[X]post"),
)
SHORT = ("dogs run", "a", "", "'man'", "Two <b>", "é!", "🎸", "שלום", "so…")
DECODERS = ("gpt2", "llama")
SPELT = "[MASK] <mask> [SEP] </s> <sep> [CLS] <s> <cls>"


def text_of(template: str) -> str:
    """The text of a template as a recipe names it."""
    return TEMPLATE.bind(TEMPLATE.parse(template))()


def put(template: str, sentence: str, mask: str | None) -> str:
    """A sentence in a template, as one would write it by hand."""
    whole = template.replace(MASK, mask or "")
    for ending in ("[X]", "[X.]", "[X-]"):
        whole = whole.replace(ending, with_ending(sentence, ending))
    return whole


def prompted(folder: Path, sentence: str, template: str, limit: int = LIMIT) -> Tokens:
    return Tokenizer(folder, limit)([sentence], template=template).tokens


def own(tokens: Tokens) -> np.ndarray:
    return ~tokens.template & ~tokens.special


def pieces(tokens: Tokens) -> list[str]:
    return tokens.surface_forms(slice(0, len(tokens)))


# -- texts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMED)
def test_the_named_templates_are_those_of_the_papers(name):
    assert text_of(name) == NAMED[name]
    assert text_of(f"{name}(stop=asis)") == NAMED[name]
    assert text_of(f"{name}(stop=yes)") == NAMED[name].replace("[X]", "[X.]")
    assert text_of(f"{name}(stop=no)") == NAMED[name].replace("[X]", "[X-]")


def test_without_a_template_there_is_no_text():
    assert text_of("none") == ""
    assert Recipe.parse("template=none") == Recipe()


@pytest.mark.parametrize(
    ("sentence", "with_stop"),
    [
        ("dogs run", "dogs run."),
        ("dogs run ", "dogs run."),
        ("dogs run,", "dogs run,."),
        *((f"dogs run{mark}", None) for mark in ".?!…。？！"),
        ('she said "run."', None),
        ("she said 'run!'", None),
        ("“run?”", None),
        ("it’s ‘done.’", None),
        ("(they run.)", None),
        ("they run. ", None),
        ('she said "run"', 'she said "run".'),
        ("they (run)", "they (run)."),
        ("", None),
        ("   ", None),
        ('"', None),
        ("5", "5."),
    ],
)
def test_a_full_stop_goes_only_where_no_punctuation_ends_the_sentence(sentence, with_stop):
    """Closing quotes and brackets are looked behind; a sentence that says nothing stays as it is."""
    assert with_ending(sentence, "[X.]") == (sentence if with_stop is None else with_stop)
    assert with_ending(sentence, "[X]") == sentence


@pytest.mark.parametrize(
    ("sentence", "without"),
    [
        *((f"dogs run{mark}", "dogs run") for mark in (".", "...", " .", ". ")),
        *(
            (same, same)
            for same in (
                "dogs run",
                "dogs run,",
                "dogs run?",
                "dogs run!",
                'she said "run."',
                "e.g. this",
                "",
            )
        ),
        ("dogs run ", "dogs run"),
        (" dogs. run.", " dogs. run"),
        ("...", ""),
    ],
)
def test_a_final_full_stop_goes_where_that_is_asked_for(sentence, without):
    assert with_ending(sentence, "[X-]") == without


@pytest.mark.parametrize(
    ("ending", "sentence", "left"),
    [
        *(("[X]", text, text) for text in ("dogs run", "dogs run.", "dogs run?", "")),
        *(("[X.]", "dogs run" + end, "dogs run" + (end or ".")) for end in ("", ".", "?")),
        *(("[X-]", "dogs run" + end, "dogs run") for end in ("", ".", " ..")),
        *((ending, "", "") for ending in ("[X.]", "[X-]")),
    ],
)
def test_the_punctuation_that_is_added_is_a_token_of_the_sentence(ending, sentence, left, model):
    tokens = prompted(model("bert"), sentence, f"so {ending} [MASK]")
    alone = Tokenizer(model("bert"), LIMIT)([left]).tokens
    assert tokens.ids[own(tokens)].tolist() == alone.ids[~alone.special].tolist()


@pytest.mark.parametrize(
    "text",
    [
        'say "[X]"; then (maybe) a+b = [MASK], \\ so.',
        "[X]",
        " [X] ",
        "[MASK]: [X.]",
        "[X-] [MASK]",
        '"[X]"',
        "none[X]",
        "σ – [X] 🎸",
    ],
)
def test_a_text_of_ones_own_comes_back_from_the_recipe(text):
    recipe = Recipe(template=Choice("text", (("text", text),)))
    assert Recipe.parse(str(recipe)) == recipe
    spelled = recipe.spelled()["template"]
    assert Recipe.parse(f"layers=last; template = {spelled} ;weight=idf").template == recipe.template
    assert TEMPLATE.bind(recipe.template)() == text


def test_a_plain_text_of_ones_own_needs_no_quotes():
    assert str(Recipe.parse("template=a dog [X] and [MASK]")) == "template=a dog [X] and [MASK]"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        (
            "T9",
            r"template: no 'T9'\. Allowed: none, T0, T1, T2, T3, T4, or your own text with \[X\], where",
        ),
        ("non", r"template: no 'non'\. Did you mean 'none'\? Allowed: none, T0"),
        (
            "a dog and [MASK]",
            r"template: no 'a dog and \[MASK\]'.*text with \[X\], where the sentence goes",
        ),
        ("[x]", r"template: no '\[x\]'"),
        ("[X] and [X]", r"got \[X\] 2 times in '\[X\] and \[X\]'; allowed is once"),
        *((f"[X] and {other}", r"got \[X\] 2 times") for other in ("[X.]", "[X-]")),
        (
            "T0(stop=maybe)",
            r"template=T0\(stop\): got 'maybe'; allowed is stop: asis or yes or no \(default asis\)",
        ),
        ("T0(end=yes)", r"template=T0: no argument 'end=yes'; it takes stop: asis or yes or no"),
        ("", "template: nothing after '='; Allowed: none, T0"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused_when_the_recipe_is_read(template, message):
    with pytest.raises(RecipeError, match=message):
        Recipe.parse(f"template={template}")


# -- tokens ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_tokens_are_those_of_the_models_own_tokenizer(family, model):
    theirs = AutoTokenizer.from_pretrained(model(family))
    ours = Tokenizer(model(family), LIMIT)
    compared = 0
    for template in (*NAMED.values(), text_of("T0(stop=yes)"), text_of("T1(stop=no)"), *OWN):
        for sentence in SHORT:
            expected = theirs(put(template, sentence, theirs.mask_token))
            if len(expected["input_ids"]) > LIMIT:
                continue
            found = ours([sentence], template=template)
            assert found.tokens.ids.tolist() == expected["input_ids"], (template, sentence)
            if "token_type_ids" in expected:
                assert found.type_ids.tolist() == expected["token_type_ids"]
            masks = 0 if family in DECODERS else template.count(MASK)
            assert found.tokens.mask.sum() == masks
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("family", ["roberta", "xlnet"])
@pytest.mark.parametrize(("before", "after"), [(True, False), (True, True), (False, True)])
def test_a_mask_token_that_takes_spaces_into_itself_does(family, before, after, tmp_path):
    """As the published RoBERTa, MPNet, ALBERT and XLNet have it."""
    backend, special = FAMILIES[family].tokenizer()
    mask = AddedToken("<mask>", lstrip=before, rstrip=after, special=True)
    made = PreTrainedTokenizerFast(tokenizer_object=backend, **(special | {"mask_token": mask}))
    made.save_pretrained(tmp_path)
    theirs, plain = AutoTokenizer.from_pretrained(tmp_path), set()
    for template in (*NAMED.values(), *OWN):
        for sentence in SHORT[:2]:
            expected = theirs(put(template, sentence, "<mask>"))["input_ids"]
            assert prompted(tmp_path, sentence, template, 200).ids.tolist() == expected
            spaced = theirs(put(template, sentence, "x"))["input_ids"]
            plain.add(len(spaced) - len(expected))
    assert max(plain) > 0  # spaces did go


def test_each_token_knows_whose_it_is(model):
    tokens = prompted(model("bert"), "dogs running", 'a "[X]" [MASK] on [MASK].')
    expected = {
        "[CLS]": (-1, "special"),
        "a": (0, "template"),
        '"': (1, "template"),
        "dog": (2, "own"),
        "##s": (2, "own"),
        "run": (3, "own"),
        "##n": (3, "own"),
        "##ing": (3, "own"),
        '" ': (4, "template"),
        "[MASK]": (-1, "mask"),
        "on": (5, "template"),
        "[MASK] ": (-1, "mask"),
        ".": (6, "template"),
        "[SEP]": (-1, "special"),
    }
    kinds = [kind for _, kind in expected.values()]
    assert pieces(tokens) == [text.strip() for text in expected]
    assert tokens.words.tolist() == [word for word, _ in expected.values()]
    assert tokens.special.tolist() == [kind == "special" for kind in kinds]
    assert tokens.template.tolist() == [kind in ("template", "mask") for kind in kinds]
    assert tokens.mask.tolist() == [kind == "mask" for kind in kinds]
    assert tokens.continues.tolist() == [text.startswith("##") for text in expected]
    assert tokens.cls.tolist() == [0]
    assert tokens.truncated.tolist() == [False]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("sentence", [SPELT, "[MASK]", "<mask> </s>"])
def test_a_sentence_that_spells_special_tokens_stays_plain_text(family, sentence, model):
    ours = Tokenizer(model(family), LIMIT)
    for template in NAMED.values():
        tokens, empty = (ours([text], template=template).tokens for text in (sentence, ""))
        assert own(tokens).any()
        assert tokens.ids[~own(tokens)].tolist() == empty.ids.tolist()
        assert tokens.mask.sum() == (0 if family in DECODERS else template.count(MASK))
        assert not (tokens.mask & own(tokens)).any()
        assert (tokens.ids[tokens.mask] == ours.mask_id).all()
        if family not in ("xlnet", "llama"):  # their vocabularies hold these as pieces of text too
            added = set(empty.ids[empty.special].tolist()) | {ours.mask_id}
            assert not added & set(tokens.ids[own(tokens)].tolist())


def test_the_sentences_own_tokens_are_those_it_has_alone(model):
    for family in ("bert", "roberta", "electra", "gpt2"):
        for sentence in ("dogs run", SPELT[:20], "a, b; “c”"):
            alone = Tokenizer(model(family), LIMIT)([sentence]).tokens
            tokens = prompted(model(family), sentence, NAMED["T2"])
            assert tokens.ids[own(tokens)].tolist() == alone.ids[~alone.special].tolist()


ENDS = ("dogs run", "a", "'man'", '"two"', "(sat).", "...", "-", "a, b", "run")


@pytest.mark.parametrize("family", FAMILIES)
def test_words_never_go_back(family, model):
    ours = Tokenizer(model(family), LIMIT)
    for template in (*NAMED.values(), *OWN):
        tokens = ours(ENDS, template=template).tokens
        for i in range(len(ENDS)):
            span = tokens.span(i)
            counted = tokens.words[span][tokens.words[span] >= 0]
            assert set(np.diff(counted).tolist()) <= {0, 1}
            assert counted[:1].tolist() == [0] or not len(counted)
            added = (tokens.special | tokens.mask)[span]
            assert (tokens.words[span] >= 0).tolist() == (~added).tolist()


@pytest.mark.parametrize(
    ("family", "sentences"),
    [
        *(pytest.param(family, ENDS, id=family) for family in ("bert", "electra", "albert", "distilbert")),
        *(pytest.param(f, ("dogs run", "a", "a, b"), id=f"{f}, letters") for f in ("roberta", "gpt2")),
        pytest.param("roberta", ENDS, id="roberta"),
        pytest.param("xlnet", ENDS, id="xlnet"),
        pytest.param("llama", ENDS, id="llama"),
    ],
)
def test_no_word_is_both_the_templates_and_the_sentences(family, sentences, model):
    ours = Tokenizer(model(family), LIMIT)
    for template in NAMED.values():
        tokens = ours(sentences, template=template).tokens
        for i in range(len(sentences)):
            span = tokens.span(i)
            mine = own(tokens)[span]
            words = tokens.words[span]
            assert not set(words[mine].tolist()) & set(words[~mine].tolist()) - {-1}
            first = np.flatnonzero(mine)[:1]
            assert not tokens.continues[span][first].any()  # a word begins where the sentence does


def test_many_texts_in_a_template_keep_their_order(model, monkeypatch):
    texts = [*many(20), *ODD.values()]
    ours = Tokenizer(model("bert"), LIMIT)
    whole = ours(texts, template=NAMED["T2"])
    monkeypatch.setattr("core.encoders.tokenizer.BATCH", 7)
    parts = ours(texts, template=NAMED["T2"])
    assert (np.diff(whole.tokens.lengths) <= 0).all()
    for name in ("ids", "template", "mask", "special", "words", "truncated", "order", "cls"):
        assert np.array_equal(getattr(parts.tokens, name), getattr(whole.tokens, name))
    for i, text in enumerate(texts):
        alone = prompted(model("bert"), text, NAMED["T2"])
        span = whole.tokens.span(i)
        for name in ("ids", "template", "mask", "special", "words", "continues"):
            assert np.array_equal(getattr(whole.tokens, name)[span], getattr(alone, name)), (text, name)
        cut = whole.tokens.truncated[whole.tokens.place[i]]
        assert cut == alone.truncated[0] == (text == ODD["very long"])


def test_one_tokenizer_keeps_templates_apart(model):
    ours = Tokenizer(model("bert"), LIMIT)
    first = ours(["dog"], template=NAMED["T0"]).tokens.ids.tolist()
    plain = ours(["dog"]).tokens
    assert not plain.template.any()
    assert len(plain) == 3
    assert ours(["dog"], template=NAMED["T1"]).tokens.ids.tolist() != first
    assert ours(["dog"], template=NAMED["T0"]).tokens.ids.tolist() == first


# -- too long ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("template", [NAMED["T0"], NAMED["T2"], "[MASK] of dog: [X.] – [MASK][MASK]"])
def test_only_the_sentence_is_cut(family, template, model):
    """What is left is the joint text, less the last tokens of the sentence."""
    sentence = "two dogs, " * 60 + "sat"
    theirs = AutoTokenizer.from_pretrained(model(family))
    whole = theirs(put(template, sentence, theirs.mask_token))["input_ids"]

    tokens = prompted(model(family), sentence, template)

    mine = np.flatnonzero(own(tokens))
    begin, end = mine[0], mine[-1] + 1
    assert len(tokens) == LIMIT
    assert tokens.truncated.tolist() == [True]
    assert mine.tolist() == list(range(begin, end))
    assert tokens.ids[:end].tolist() == whole[:end]
    assert tokens.ids[end:].tolist() == whole[len(whole) - (LIMIT - end) :]
    short = prompted(model(family), "two", template)
    assert tokens.ids[~own(tokens)].tolist() == short.ids[~own(short)].tolist()
    assert tokens.mask.sum() == short.mask.sum()
    assert tokens.special.sum() == short.special.sum()
    assert not short.truncated[0]


def test_a_sentence_that_just_fits_is_not_cut(model):
    fixed = len(prompted(model("bert"), "", NAMED["T3"]))
    room = LIMIT - fixed
    for dogs, length, cut in ((room - 1, LIMIT - 1, False), (room, LIMIT, False), (room + 1, LIMIT, True)):
        tokens = prompted(model("bert"), "dog " * dogs, NAMED["T3"])
        assert (len(tokens), bool(tokens.truncated[0])) == (length, cut)
        assert own(tokens).sum() == min(dogs, room)


def test_the_note_says_how_many_sentences_were_cut(bert, engine):
    corpus = Corpus.of_texts("t", ["dog " * 80, "a", "cat " * 500, "dog " * 20])
    plain, in_template = (
        engine.embed(Recipe.parse(f"{bert}{more}"), corpus).notes for more in ("", ";template=T0")
    )
    assert plain == ("1 of 4 sentences is longer than 96 tokens and cut there.",)
    assert in_template == ("2 of 4 sentences are longer than 96 tokens and cut there.",)
    shown = engine.token_weights(Recipe.parse(f"{bert};template=T0"), corpus)
    assert [weights.truncated for weights in shown] == [True, False, True, False]
    assert {weights.surface_forms[-3:] for weights in shown} == {("[MASK]", ".", "[SEP]")}


def test_a_template_that_leaves_no_room_is_refused_before_anything_is_run(bert, engine):
    long = "dog " * (LIMIT - 2) + "[X]"
    with pytest.raises(RecipeError, match="dog.*is 96 tokens long by itself; the model reads at most 96"):
        engine.embed(Recipe.parse(f"{bert};template={long}"), Corpus.of_texts("t", ["a"]))
    assert engine.store.entries() == []


def test_a_template_that_leaves_room_for_one_token_is_read(model):
    tokens = prompted(model("bert"), "cat cat", "dog " * (LIMIT - 3) + "[X]")
    assert own(tokens).sum() == 1
    assert (len(tokens), tokens.truncated.tolist()) == (LIMIT, [True])


# -- pieces across the border ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def merging(tmp_path_factory) -> Path:
    """A byte-level tokenizer that, like RoBERTa's, has pieces of two quotation marks and of '."'."""
    texts = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    merges = [('"', '"'), (".", '"')]
    pieces = [*texts, *("".join(pair) for pair in merges)]
    backend = Backend(models.BPE({piece: i for i, piece in enumerate(pieces)}, merges))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    _, special = FAMILIES["roberta"].tokenizer()
    folder = tmp_path_factory.mktemp("merging")
    PreTrainedTokenizerFast(tokenizer_object=backend, **special).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("sentence", ["run.", '"run"', "a", ""])
def test_pieces_across_the_border_are_those_of_the_joint_text(merging, sentence):
    theirs = AutoTokenizer.from_pretrained(merging)
    tokens = prompted(merging, sentence, NAMED["T0"])
    assert tokens.ids.tolist() == theirs(put(NAMED["T0"], sentence, "<mask>"))["input_ids"]


def test_a_piece_that_holds_the_sentences_end_is_the_sentences(merging):
    tokens = prompted(merging, "run.", NAMED["T0"])
    assert [t for t, kept in zip(pieces(tokens), own(tokens), strict=True) if kept] == [*"run", '."']


def test_an_empty_sentence_has_no_tokens_of_its_own_even_where_quotes_join(merging):
    assert not own(prompted(merging, "", NAMED["T0"])).any()


def test_the_templates_closing_quote_stays_when_the_sentence_is_cut(merging):
    tokens = prompted(merging, "dog " * 60 + "run.", NAMED["T0"])
    assert tokens.truncated.all()
    assert "".join(pieces(tokens)).endswith('."ĠmeansĠ<mask>.</s>')


# -- tokens whose spans are trimmed ------------------------------------------------------------------


@pytest.fixture(scope="module")
def trimming(tmp_path_factory) -> Path:
    """RoBERTa's tokenizer as it is published: the spans of its tokens are without spaces."""
    backend, special = FAMILIES["roberta"].tokenizer()
    backend.post_processor = processors.RobertaProcessing(
        ("</s>", backend.token_to_id("</s>")),
        ("<s>", backend.token_to_id("<s>")),
        trim_offsets=True,
        add_prefix_space=False,
    )
    folder = tmp_path_factory.mktemp("trimming")
    PreTrainedTokenizerFast(tokenizer_object=backend, **special).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("sentence", ["a  b", "a b ", "  a", " ", "a \N{NO-BREAK SPACE} b"])
@pytest.mark.parametrize("template", [NAMED["T0"], NAMED["T2"], "so: [X] – [MASK]"])
def test_spaces_of_the_sentence_are_its_own(trimming, model, sentence, template):
    mine, right = (prompted(folder, sentence, template, 200) for folder in (trimming, model("roberta")))
    assert mine.ids.tolist() == right.ids.tolist()
    assert own(mine).tolist() == own(right).tolist()


def test_spaces_of_the_sentence_are_cut_too(trimming):
    tokens = prompted(trimming, "x " * 200, NAMED["T0"])
    assert (len(tokens), tokens.truncated.tolist()) == (LIMIT, [True])
    assert "".join(pieces(tokens)).endswith('"ĠmeansĠ<mask>.</s>')


# -- which tokens take part --------------------------------------------------------------------------

PAIR = ("dogs run", "a white cat sat on 2 mats")


@pytest.mark.parametrize("name", ["T0", "T2", "T4(stop=yes)"])
@pytest.mark.parametrize("family", ["bert", "electra", "albert", "distilbert"])
def test_each_choice_of_tokens_averages_the_states_it_says(family, name, model, engine):
    """Against a forward pass of transformers over the joint text, one at a time."""
    check_choices(model(family), text_of(name), f"template={name}", engine, after=(-1,))


@pytest.mark.parametrize(
    ("family", "after"), [("roberta", (-1,)), ("mpnet", (-1,)), ("xlnet", (-2,))], ids=lambda v: str(v)
)
def test_each_choice_of_tokens_in_families_with_other_ends(family, after, model, engine):
    """RoBERTa's </s> stands last; XLNet's <sep> last but one, and its <cls> at the very end is kept."""
    text = "so [X] is [MASK], [MASK] on"
    check_choices(model(family), text, f"template={text}", engine, after)


def check_choices(folder: Path, template: str, steps: str, engine, after: tuple[int, ...]) -> None:
    theirs = AutoTokenizer.from_pretrained(folder)
    joint = [put(template, sentence, theirs.mask_token) for sentence in PAIR]
    states = one_at_a_time(folder, joint)
    before = len(put(template.split("[X")[0] + "[X]", "", theirs.mask_token))
    expected = {name: [] for name in ("all", "mask", "nomask", "sentence", "noseparator", "content")}
    for sentence, text, state in zip(PAIR, joint, states, strict=True):
        encoded = theirs(text, return_offsets_mapping=True, return_special_tokens_mask=True)
        ids = np.array(encoded["input_ids"])
        mask = ids == theirs.mask_token_id
        special = np.isin(ids, (theirs.cls_token_id, theirs.sep_token_id))
        ending = next(e for e in ("[X]", "[X.]", "[X-]") if e in template)
        end = before + len(with_ending(sentence, ending))
        offsets = np.array(encoded["offset_mapping"])
        inside = (
            (offsets[:, 0] < end) & (offsets[:, 1] > np.maximum(offsets[:, 0], before)) & ~special & ~mask
        )
        separators = np.zeros(len(ids), bool)
        separators[list(after)] = True
        assert (ids[separators] == theirs.sep_token_id).all()
        chosen = {"all": ids >= 0, "mask": mask, "nomask": ~mask, "sentence": inside}
        chosen |= {"noseparator": ~separators, "content": ~special}
        assert mask.sum() == template.count(MASK)
        for name, kept in chosen.items():
            expected[name].append((state.hidden[1][kept] + state.hidden[-1][kept]).mean(axis=0) / 2)
    corpus = Corpus.of_texts("t", PAIR)
    for name, vectors in expected.items():
        recipe = Recipe.parse(f"source={folder};{steps};tokens={name}")
        found = engine.embed(recipe, corpus).vectors
        np.testing.assert_allclose(found, np.array(vectors), atol=1e-5, err_msg=name)
    apart = np.stack([expected[name][1] for name in expected])
    assert (np.abs(apart[:, None] - apart).max(axis=-1) + np.eye(len(apart)) > 1e-3).all()


def test_all_but_the_separator_keeps_what_stands_before_the_text(model):
    """Llama's <s> is no classification token, but nothing that comes after the text either."""
    from core.stages.token_selection import noseparator

    for family, kept in (("bert", [True, True, False]), ("gpt2", [True] * 3)):
        tokens = Tokenizer(model(family), LIMIT)(["dog"]).tokens
        assert noseparator(tokens).tolist() == kept


def test_all_but_the_separator_keeps_llamas_first_token(model):
    from core.stages.token_selection import noseparator

    tokens = Tokenizer(model("llama"), LIMIT)(["dog"]).tokens
    assert tokens.special.tolist() == [True, False]
    assert noseparator(tokens).all()


def test_all_but_the_separator_leaves_it_out_of_an_empty_text_too(model):
    from core.stages.token_selection import noseparator

    for family, kept in (("bert", [True, False]), ("roberta", [True, False]), ("xlnet", [False, True])):
        tokens = Tokenizer(model(family), LIMIT)(["dog", "", "a"]).tokens
        assert noseparator(tokens)[tokens.span(1)].tolist() == kept, family


@pytest.mark.parametrize("tokens", ["mask", "nomask"])
@pytest.mark.parametrize(
    ("family", "template"),
    [("bert", "none"), ("bert", "a dog [X]"), ("gpt2", "T0"), ("llama", "T2"), ("llama", "none")],
)
def test_mask_tokens_that_are_not_there_are_asked_for_in_words(family, template, tokens, model, engine):
    recipe = Recipe.parse(f"source={model(family)};template={template};tokens={tokens}")
    message = (
        rf"tokens={tokens} needs a template with \[MASK\] and a model with a mask token; take tokens=all"
    )
    with pytest.raises(RecipeError, match=message):
        engine.embed(recipe, Corpus.of_texts("t", PAIR))


@pytest.mark.parametrize("family", DECODERS)
def test_a_decoder_reads_a_template_without_its_masks(family, model, engine):
    corpus = Corpus.of_texts("t", PAIR)
    states = one_at_a_time(model(family), [put(NAMED["T0"], sentence, None) for sentence in PAIR])
    expected = np.stack([state.hidden[-1].mean(axis=0) for state in states])
    recipe = f"source={model(family)};layers=last;template=T0"
    np.testing.assert_allclose(engine.embed(Recipe.parse(recipe), corpus).vectors, expected, atol=1e-5)
    inside = engine.embed(Recipe.parse(f"{recipe};tokens=sentence"), corpus).vectors
    assert np.abs(inside - expected).max() > 1e-3


def test_an_empty_sentence_has_nothing_of_its_own_and_keeps_the_whole_template(bert, engine):
    corpus = Corpus.of_texts("t", ["", "dog"])
    whole, inside = (
        engine.embed(Recipe.parse(f"{bert};template=T0;tokens={name}"), corpus).vectors
        for name in ("all", "sentence")
    )
    assert np.array_equal(whole[0], inside[0])
    assert np.abs(whole[1] - inside[1]).max() > 1e-3


def test_token_vectors_without_context_take_templates_too(engine):
    """Every mask token of BERT has the same random row, whatever the sentence.

    T0 has one, whose mean is the row itself; that of T2's three rounds.
    """
    for template, rounding in (("T0", 0.0), ("T2", 2 * np.finfo(np.float32).eps)):
        recipe = Recipe.parse(f"source=random(dim=16);template={template};tokens=mask")
        vectors = engine.embed(recipe, Corpus.of_texts("t", PAIR)).vectors
        source = engine.source(recipe)
        tokenizer = engine.passes.tokenizer(source)
        row = source.table.rows(tokenizer.vocabulary)[tokenizer.mask_id]
        np.testing.assert_allclose(vectors, np.tile(row, (2, 1)), rtol=rounding, atol=0)


# -- what is kept ------------------------------------------------------------------------------------


def test_passes_of_different_templates_are_kept_apart(bert, engine):
    corpus, keys, vectors = Corpus.of_texts("t", ["dogs run", "a cat sat."]), set(), []
    for template in ("none", "T0", "T0(stop=yes)", "T0(stop=no)", "T1", '"[X]"', "[X.]"):
        recipe = Recipe.parse(f"{bert};template={template}")
        embedded = engine.embed(recipe, corpus)
        assert embedded.pass_seconds > 0
        assert engine.embed(recipe, corpus).pass_seconds == 0
        keys.add(engine.passes.key(embedded.source, corpus))
        vectors.append(embedded.vectors)
    assert len(keys) == len(engine.store.entries()) == 7
    assert np.array_equal(vectors[0], vectors[5])  # nothing stands around the sentence
    changes = [np.abs(a - b).max() for i, a in enumerate(vectors[:5]) for b in vectors[:i]]
    assert min(changes) > 1e-3


def test_what_the_template_says_in_every_text_has_idf_zero(bert, engine):
    """The sentence's own tokens have the weights they have without a template."""
    corpus = Corpus.of_texts("t", ["the dog sat", "two dog run", "a white cat", "the boy run in rain"])
    plain = engine.token_weights(Recipe.parse(f"{bert};weight=idf"), corpus)
    recipe = Recipe.parse(f"{bert};template=T1;weight=idf")
    shown = engine.token_weights(recipe, corpus)
    found, _ = engine.passes.get(engine.source(recipe), corpus)
    for i, (weights, alone) in enumerate(zip(shown, plain, strict=True)):
        span = found.tokens.span(i)
        mine = own(found.tokens)[span]
        assert (weights.shares[~mine] == 0).all()
        assert (weights.texts_with[~mine] == 4).all()
        np.testing.assert_allclose(weights.shares[mine], alone.shares[1:-1], atol=1e-12)
        assert weights.shares.sum() == pytest.approx(1)


def test_frequencies_of_a_reference_are_those_of_its_plain_texts(bert, engine, tmp_path):
    path = tmp_path / "r.txt"
    path.write_text("the dog sat on\nthe dog sat on\na cat and rain\n")
    recipe = Recipe.parse(f"{bert};template=the cat: [X];weight=idf(fit=reference);reference={path}")
    (shown,) = engine.token_weights(recipe, Corpus.of_texts("t", ["dog rain boy"]))
    seen = dict(zip(shown.surface_forms, shown.texts_with, strict=True))
    expected = {"[CLS]": 3, "the": 2, "cat": 1, ":": 1, "dog": 2, "rain": 1, "boy": 1, "[SEP]": 3}
    assert seen == expected


def test_many_templates_share_one_copy_of_the_tokenizer(model, monkeypatch):
    """A copy is megabytes, and everybody may write templates."""
    tokenizer, copies = Tokenizer(model("bert")), []
    copied = Tokenizer.backend

    def counted(self):
        copies.append(1)
        return copied(self)

    monkeypatch.setattr(Tokenizer, "backend", counted)
    for number in range(5):
        tokenizer(["the dog"], template=f"so {number} : [X]")
    assert len(copies) == 1
    held = [value for value in vars(tokenizer).values() if isinstance(value, dict | list)]
    assert sum(map(len, held)) == 0

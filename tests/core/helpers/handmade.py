"""Tokens written down by hand, as a tokenizer would give them."""

import numpy as np

from core.tokens import Tokens

SPECIAL = ("[CLS]", "[SEP]")


def tokens_of(*sentences: str) -> Tokens:
    """Tokens of sentences written with spaces between tokens; ``##`` continues a word.

    Ids are given in order of first appearance; stored order is longest first, as always.
    """
    split = [sentence.split() for sentence in sentences]
    order = np.argsort([-len(words) for words in split], kind="stable")
    surface_forms = [token for i in order for token in split[i]]
    vocabulary = {text: i for i, text in enumerate(dict.fromkeys(surface_forms))}
    lengths = np.array([len(split[i]) for i in order], int)
    special = np.isin(surface_forms, SPECIAL) if surface_forms else np.zeros(0, bool)
    continues = np.array([token.startswith("##") for token in surface_forms], bool)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    counted = np.cumsum(~special & ~continues)
    before = np.append(0, counted)[starts]
    return Tokens(
        ids=np.array([vocabulary[token] for token in surface_forms], np.int32),
        order=order,
        offsets=np.append(0, np.cumsum(lengths)),
        special=special,
        words=np.where(special, -1, counted - before - 1).astype(np.int32),
        continues=continues,
        cls=np.array([split[i].index("[CLS]") if "[CLS]" in split[i] else -1 for i in order], int),
        template=np.zeros(len(surface_forms), bool),
        mask=np.array(surface_forms, str) == "[MASK]",
        truncated=np.zeros(len(split), bool),
        vocabulary={i: text for text, i in vocabulary.items()},
    )

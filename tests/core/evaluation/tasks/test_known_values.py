"""Bags of words on real sets give the values that are known of them, within 0.02.

TREC is known with 0.91, and is not here: logistic regression on TF-IDF of words gives 0.85 to 0.88 there,
whatever its C, and with pairs of words and a C of 100 it gives 0.90, so that 0.91 is of other features.
"""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from core.corpora.catalogue import Catalogue
from core.evaluation.tasks.classification import classification
from core.evaluation.tasks.similarity import sts
from tests.core.helpers.task_data import given


def tfidf(corpus):
    return TfidfVectorizer(dtype=np.float32).fit_transform(corpus.sentences)


@pytest.mark.parametrize(("name", "known"), [("STS13", 70), ("STS16", 71), ("STS-B", 69)])
def test_similarity_of_bags_of_words(data_folder, name, known):
    corpus = Catalogue(data_folder).load(name).take("test")
    assert sts(given(corpus, tfidf(corpus).toarray())).value == pytest.approx(known, abs=2)


def test_customer_reviews_are_classified_by_bags_of_words(data_folder):
    corpus = Catalogue(data_folder).load("CR")
    assert classification(given(corpus, tfidf(corpus)), folds=5).value == pytest.approx(81, abs=2)

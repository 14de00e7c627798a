"""Impact against tf-idf over a sample of a corpus: asked for by a button, drawn layer by layer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from components import errors, figure_frame, job, provenance, state, table_numbers, theme
from components.controls import number_asked
from components.errors import require
from components.figure_frame import Framed
from components.figures.masking import CorrelationLine, by_layer
from components.job import Question
from components.masking.page import Choices, ModelImpact, summary
from components.text import escape
from components.wording import UNIT, duration_range, plus_minus
from core.analysis.masking.tfidf_correlation import (
    LONGEST,
    PUBLISHED,
    SHORTEST,
    WHERE,
    Agreement,
    AgreementRequest,
    ImpactCorrelation,
    agreement,
    agreement_seconds,
    sample,
    stored_agreement,
)
from core.corpora.corpus import Corpus
from core.errors import StrataError, counted
from core.evaluation.sts import too_few
from core.pipeline.engine import Engine
from core.storage.keys import key_of
from core.work import Work

START = 30
"""Sentences that are drawn to begin with: some seconds of work."""

MOST = 2000
"""Sentences that a visitor may draw; the paper draws 1,000."""


def show(
    engine: Engine, found: Sequence[ModelImpact], choices: Choices, corpus: Corpus, learn: Corpus
) -> None:
    """How many sentences, the button, and what was found."""
    number, seed = _size()
    texts = require(lambda: sample(corpus, number, seed))
    questions = [AgreementRequest(one.model.source, tuple(texts), learn, choices.level) for one in found]
    missing = [question for question in questions if stored_agreement(engine, question) is None]
    if missing:
        about = _about(engine, missing)
        label = f"Correlate on {counted(len(texts), 'sentence')} of {escape(corpus.name)}"
        if about:
            _run(engine, missing, Question(about, label, aside=True))
    answers = [
        (one, stored_agreement(engine, question)) for one, question in zip(found, questions, strict=True)
    ]
    answered = [(one, answer) for one, answer in answers if answer is not None]
    if answered:
        _draw(answered, choices, corpus, learn, number, seed)
    _table(answered, choices)


def _size() -> tuple[int, int]:
    """How many sentences are drawn, and by which seed."""
    for key in ("tfidf.number", "tfidf.seed"):
        number_asked(key)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        number = st.number_input(
            "Sentences",
            min_value=2,
            max_value=MOST,
            value=START,
            step=10,
            key="tfidf.number",
            bind="query-params",
            persist_state="session",
            width=140,
            help=f"Different sentences of {SHORTEST} to {LONGEST} characters, drawn from the corpus in the "
            "bar. A larger sample by the same seed holds the smaller one.",
        )
        seed = st.number_input(
            "Seed",
            min_value=0,
            max_value=10**6,
            value=0,
            key="tfidf.seed",
            bind="query-params",
            persist_state="session",
            width=120,
        )
    return int(number), int(seed)


def _about(engine: Engine, questions: Sequence[AgreementRequest]) -> str:
    """How much work it is, in words; empty, and the reason on the page, when it cannot be done."""
    try:
        costs = [agreement_seconds(engine, question) for question in questions]
    except StrataError as error:
        errors.tell(error)
        return ""
    inputs, seconds = (sum(part) for part in zip(*costs, strict=True))
    names = " and ".join(question.source.name for question in questions)
    return (
        f"{inputs:,} model inputs with {names}; what is not kept yet takes {duration_range(seconds)}. It "
        "can be stopped, and goes on where it was."
    )


def _run(engine: Engine, requests: Sequence[AgreementRequest], question: Question) -> None:
    """Ask for what is missing; when it is there, it is stored."""
    jobs = job.show_all(
        [
            Work(
                ("agreement", key_of(*request.parts(engine))),
                f"Masking {counted(len(request.texts), 'sentence')} with {request.source.name}",
                partial(agreement, engine, request),
                asks=True,
            )
            for request in requests
        ],
        lambda: question,
        key="tfidf.run",
    )
    for each in jobs:
        require(each.value)


def _draw(
    answered: Sequence[tuple[ModelImpact, Agreement]],
    choices: Choices,
    corpus: Corpus,
    learn: Corpus,
    number: int,
    seed: int,
) -> None:
    """Spearman by layer, with its interval at the layer that is shown."""
    lines, shown, rows = [], [], []
    for one, answer in answered:
        every = [_correlation(answer, i, choices) for i in range(answer.depth + 1)]
        here = answer.correlation(one.layer, choices.metric, choices.merge)
        values = np.array([found.spearman for found in every])
        lines.append(
            CorrelationLine(one.model.name, one.model.color, values, one.layer, here.low, here.high)
        )
        shown.append((f"{one.model.name}, layer {one.layer}", here))
        rows += [_row(one.model.name, i, found) for i, found in enumerate(every)]
    title = finding(shown, choices.level)
    left_out = max(answer.left_out for _, answer in answered)
    without = f", {left_out} left out of which a model reads too little" if left_out else ""
    counts = [(len(answer.tfidf), int(answer.sentence.max()) + 1) for _, answer in answered]
    used = " and ".join(
        f"{counted(units, choices.unit)} of {counted(texts, 'sentence')}"
        for units, texts in dict.fromkeys(counts)
    )
    few = (too_few(here.sentences, here.low, here.high, "sentence") for _, here in shown)
    bounds = "; ".join(dict.fromkeys(filter(None, few))) or "95 % interval over sentences"
    figure_frame.show(
        Framed(
            key="tfidf.layers",
            title=title,
            figure=by_layer(lines, theme.of(state.theme_name())),
            caption=(
                f"Column means against tf-idf: {choices.label()}, special tokens left out.",
                f"{number} different sentences asked of the corpus ({SHORTEST} to {LONGEST} characters, "
                f"seed {seed}): {used}{without}.",
                f"tf-idf = count in the sentence × log(texts / texts with it), learnt from {learn.name}, "
                f"{counted(len(learn.positions), 'text')} · {bounds}.",
                provenance.line((provenance.model(one.model.source) for one, _ in answered), corpus),
            ),
            summary=summary([one for one, _ in answered], provenance.split(corpus), used),
            alt=title,
            numbers=lambda: pd.DataFrame(rows),
        )
    )


def finding(shown: Sequence[tuple[str, ImpactCorrelation]], level: str) -> str:
    """How impact goes with tf-idf under each model, by its name and layer."""
    known = [(name, here) for name, here in shown if np.isfinite(here.spearman)]
    if not known:
        return "Impact and tf-idf: no correlation exists in this layer"
    parts = []
    for name, here in known:
        end = "" if here.low > 0 or here.high < 0 else " (no correlation shown)"
        parts.append(f"{plus_minus(here.spearman, here.low, here.high)} under {name}{end}")
    return f"Impact of {level} against their tf-idf, {UNIT}: {'; '.join(parts)}"


def _correlation(answer: Agreement, layer: int, choices: Choices) -> ImpactCorrelation:
    return answer.correlation(layer, choices.metric, choices.merge, intervals=False)


def _row(name: str, layer: int | None, found: ImpactCorrelation) -> dict[str, object]:
    return {
        "model": name,
        "layer": layer,
        "Pearson × 100": found.pearson,
        "Spearman × 100": found.spearman,
        "within sentences": found.within,
        "units": found.units,
        "sentences": found.sentences,
    }


def _table(answered: Sequence[tuple[ModelImpact, Agreement]], choices: Choices) -> None:
    """What is found here in the layer that is shown, beside the published figures."""
    rows = [
        _row(one.model.name, one.layer, _correlation(answer, one.layer, choices)) | {"where": "here"}
        for one, answer in answered
    ]
    rows += [
        {
            "model": one.model,
            "Pearson × 100": one.pearson,
            "Spearman × 100": one.spearman,
            "where": "published",
        }
        for one in PUBLISHED
    ]
    columns = ("Pearson × 100", "Spearman × 100", "within sentences")
    st.dataframe(
        table_numbers.written(pd.DataFrame(rows), dict.fromkeys(columns, 2)),
        hide_index=True,
        placeholder="",
        column_config={
            "within sentences": st.column_config.Column(
                help="Mean of the Spearman correlations of single sentences: scaling tf-idf or impact by "
                "sentence, as some programs do, changes nothing in it.",
            ),
        },
        alt="Correlations here beside those that are published",
    )
    st.caption(escape(f"Published: {WHERE}. It does not name the layer; the last is likely."))

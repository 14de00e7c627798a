"""BERT-flow: the option ``post=flow``, and the normalizing flow that it learns, which needs torch."""

from core.stages.bert_flow import option  # noqa: F401  (it registers itself)

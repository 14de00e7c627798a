"""Tasks: what sentence vectors are scored on. Each is an option, registered by importing its file here."""

# isort: off
from core.evaluation.tasks import similarity  # the first: scored pairs are for it unless told otherwise
from core.evaluation.tasks import classification, clustering, probing, supervised_similarity
from core.evaluation.tasks import isotropy  # the last: it takes any corpus
from core.evaluation.tasks.task import TASK

__all__ = [
    "TASK",
    "classification",
    "clustering",
    "isotropy",
    "probing",
    "similarity",
    "supervised_similarity",
]

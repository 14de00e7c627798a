"""Speed, memory, precision and agreement with published numbers; ``python -m benchmarks`` runs all.

Each module also runs alone (``python -m benchmarks.passes --data FOLDER``) and prints Markdown. The
data folder is ``--data`` or ``STRATA_DATA``; stored passes go to a temporary folder that is removed.
"""

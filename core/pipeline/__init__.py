"""One recipe on one corpus: from sentences to vectors and similarities."""

"""The page Find: the best recipe for a model and a corpus, and what the choice is worth."""

"""Why two sentences are close: from which tokens, and which layers, their similarity comes."""

"""The corpus of scored pairs, the same on every page: which one, which split, and the menu of both."""

"""Texts, scored pairs, and where they come from."""

"""Recipes taken away: as a folder that sentence-transformers loads."""

"""Scores of recipes on tasks, with the intervals that say what they are worth."""

"""A table of pairs with much amiss, and what is said of it."""

LINES = [
    "",
    "sentence1,sentence2,score",
    "A dog runs.,A cat runs.,1",
    '"Two lines',
    'of one cell.",A cat.,2',
    "",
    ",A cat.,3",
    '"A comma, and ""quotes"".",A dog.,nine',
    ",,",
    "A dog.,A cat.,2",
    "One.,Two.,4",
    "Three.,Four.,",
    "Five.,Six.,5",
    "",
    "",
]
"""What is amiss stands on the lines 6 and 9 (empty), 7 (a sentence), 8 and 12 (a score), of the file."""

TOLD = (
    "2 empty lines (6, 9): left out.",
    "1 of 8 rows has an empty sentence (line 7): left out.",
    "1 of 8 rows has no score (line 12): left out.",
    "1 of 8 rows has a score that is not a number (line 8): left out.",
)

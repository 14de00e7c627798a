"""Sets of sentences to compare, each for one question."""

from __future__ import annotations

MIXED = (
    "The bakery opens at seven every morning.",
    "You can buy fresh bread there from 7 a.m.",
    "The bakery closes at seven every morning.",
    "The central bank raised interest rates again.",
    "Borrowing money has become more expensive.",
    "We had a picnic on the bank of the river.",
    "The nurse thanked the doctor.",
    "The doctor thanked the nurse.",
    "Her train was cancelled because of the storm.",
    "Bad weather kept her from travelling by rail.",
    "It is not raining any more.",
    "It is raining more than ever.",
)
"""What one arrives with: paraphrases without shared words, and near copies with another meaning."""

WORD_ORDER = (
    "The dog chased the cat across the yard.",
    "The cat chased the dog across the yard.",
    "The cat was chased across the yard by the dog.",
    "Only Anna told Peter the truth.",
    "Anna told only Peter the truth.",
    "Peter heard the truth from nobody but Anna.",
    "Flights from Rome to Oslo leave at noon.",
    "Flights from Oslo to Rome leave at noon.",
    "At noon the planes to Oslo depart from Rome.",
    "The manager hired the engineer who had quit.",
    "The engineer hired the manager who had quit.",
)

NEGATION = (
    "The vaccine is safe for children.",
    "The vaccine is not safe for children.",
    "Children can get the shot without any risk.",
    "Everybody was hurt in the accident.",
    "Nobody was hurt in the accident.",
    "All passengers walked away from the crash uninjured.",
    "She has often been to Japan.",
    "She has never been to Japan.",
    "Japan is a country that she has yet to visit.",
    "The witness denied that he knew the man.",
    "The witness admitted that he knew the man.",
)

POLYSEMY = (
    "The bat left the cave at dusk.",
    "He swung the bat and missed the ball.",
    "A small nocturnal mammal flew out of its roost.",
    "The spring was cold and rainy this year.",
    "The mattress has a broken spring.",
    "We filled our bottles at the spring.",
    "March and April were chilly and wet.",
    "The prisoner slept in a narrow cell.",
    "The cell divides into two daughters.",
    "Under the microscope the nucleus can be seen.",
    "The crane lifted the steel beams.",
    "The crane stood in the shallow water.",
)

SETS = {
    "Mixed": (MIXED, "Paraphrases without shared words, and near copies with another meaning."),
    "Word order": (WORD_ORDER, "The same words in other roles, and what means the same in other words."),
    "Negation": (NEGATION, "A sentence, its opposite in almost the same words, and a paraphrase."),
    "Polysemy": (POLYSEMY, "One word in several senses, and sentences near one of them without it."),
}
"""Sentences by the name of their set, with what they ask."""

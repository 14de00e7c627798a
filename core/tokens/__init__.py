"""Tokens of texts, the words behind them, and the states a model gives them."""

from core.tokens.tokens import DocumentFrequencies, Tokens, document_frequencies

__all__ = ["DocumentFrequencies", "Tokens", "document_frequencies"]

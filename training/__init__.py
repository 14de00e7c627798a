"""Masked-language-model training of an encoder, and what a trained encoder is measured by."""

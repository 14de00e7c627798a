"""Pretrained transformers: finding, tokenizing for and running them, and prompt templates."""

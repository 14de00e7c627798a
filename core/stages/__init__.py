"""The stages of a recipe after the token states: one file or folder each; none knows another."""

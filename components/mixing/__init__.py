"""The page Mixing."""

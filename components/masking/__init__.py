"""The page Masking."""

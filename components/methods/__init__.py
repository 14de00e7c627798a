"""The page Methods."""

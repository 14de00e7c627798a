"""Maps of token and sentence vectors, and the frequency in their components: the page Tokens."""

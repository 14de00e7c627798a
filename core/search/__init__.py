"""Search for the recipe that follows a corpus' gold scores best, and what the choice is worth."""

"""What the analysis pages ask: inside the model, and of the space of vectors."""

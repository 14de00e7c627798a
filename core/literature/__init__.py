"""Methods of the literature as named recipes, with their published scores."""

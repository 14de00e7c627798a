"""What the page Layers asks."""

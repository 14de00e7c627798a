"""What the page Geometry asks."""

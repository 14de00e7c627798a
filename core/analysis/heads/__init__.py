"""What the page Heads asks."""

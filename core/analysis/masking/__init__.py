"""What the page Masking asks."""

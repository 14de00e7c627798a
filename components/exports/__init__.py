"""What a figure is saved as: pictures for slides, a page, and its numbers as tables."""

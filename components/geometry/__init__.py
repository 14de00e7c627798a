"""The page Geometry."""

"""Auto-associative memories."""

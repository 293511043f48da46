"""What the transformers learn."""

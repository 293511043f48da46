"""Tasks that transformers learn, and the protocol that a task follows."""

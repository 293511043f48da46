"""Attention without slots: fast weights, transformer models, learning rules, training."""

"""Sweeps: any grid over the parameters of the memory or of the transformers, its table, its data and its plot."""

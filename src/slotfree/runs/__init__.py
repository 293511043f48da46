"""How work is run: seeds, executors. It knows none of the science."""

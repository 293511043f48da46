"""One module per figure, table or theorem of the paper: what to run, what to draw, what it claims."""

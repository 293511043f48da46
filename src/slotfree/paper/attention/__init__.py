"""The paper's second part: attention without slots. One file for each figure, table or theorem."""

"""The paper's first part: a sparse distributed memory, and how it forgets. One file for each figure or theorem."""

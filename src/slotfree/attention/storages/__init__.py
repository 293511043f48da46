"""Where a slot-free transformer stores the items of a context: one file for each storage."""

"""How figures look: one style, and the panels that studies, sweeps and the command line share."""

"""Where patterns come from: random ones, trees, clusters, and cues made of them."""

"""The papers' experiments, benchmarks and guarantee campaigns, as programs that print what they measured."""

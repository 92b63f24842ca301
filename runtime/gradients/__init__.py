"""Gradients: graph to graph, and eagerly by the same rules; backwards and forwards, to any order."""

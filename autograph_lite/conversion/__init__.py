"""From a Python function to its converted form. Pure syntax: nothing here knows of tensors."""

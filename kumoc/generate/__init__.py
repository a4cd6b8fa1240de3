"""Choose truths, actions and outcomes."""

"""Language models: how they are talked to, what marks data off in prompts, and how answers are read."""

"""What a domain looks like before any instance is built: its structure, a picture of it, and what it can give."""

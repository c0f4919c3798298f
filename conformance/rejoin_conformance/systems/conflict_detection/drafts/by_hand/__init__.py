"""What the vectors' authors state without the reference: graphs, encodings, and whole stories."""

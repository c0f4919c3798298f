"""The description of a system: operations, vectors, histories, laws, formal model."""

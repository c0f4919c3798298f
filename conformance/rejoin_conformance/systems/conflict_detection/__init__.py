"""What the suite knows of conflict detection: operations, vectors, histories, laws."""

"""What the suite knows of history merge: operations, vectors, random histories, laws."""

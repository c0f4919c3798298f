"""What the suite knows of config merge: operations, vectors, random histories, laws."""

"""What the authors of vectors build messages with: nothing here uses the code under test."""

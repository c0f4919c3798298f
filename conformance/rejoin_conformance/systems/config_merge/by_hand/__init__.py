"""Encoding and cryptography for the authors of vectors, without the code under test."""

"""Adapters to start from: small complete programs in several languages, without dependencies."""

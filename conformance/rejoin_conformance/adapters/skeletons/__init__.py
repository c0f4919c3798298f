"""Adapters to begin with: small, whole programs in several languages, each without dependencies."""

"""The doctor: a conversation with an adapter under construction, step by step."""

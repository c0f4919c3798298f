"""Compare the results of two readings on the same histories.

`comparison` defines the histories and the two sides. `measure` compares one block of histories.
`smallest` shrinks an example of a difference. `compare` runs both and adds up the results. `render`
writes the report as text.
"""

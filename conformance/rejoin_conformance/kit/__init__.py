"""General parts without knowledge of a protocol: JSON, schemas, random draws, drawings, Java."""

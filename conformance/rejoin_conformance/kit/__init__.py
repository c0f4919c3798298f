"""General parts that know no protocol: JSON, schemas, random draws, drawings, processes, Java."""

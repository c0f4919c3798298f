"""What a system describes about itself: operations, vectors, histories, laws, formal model."""

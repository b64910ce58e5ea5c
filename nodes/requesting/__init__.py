"""What users ask of their memory in conversation: reading the request, finding what is meant, confirming it."""

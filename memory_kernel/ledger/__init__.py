"""Where accepted writes are kept: the authority over every memory."""

"""Indexes behind one port (`base`). Import the one you need from its own module: some are heavy."""

"""Compiled array code: no files, no terminal, no classes."""

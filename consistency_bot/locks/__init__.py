"""Which versions of a package a repository locks, or allows: lock files, pins and bounds, read and never run.

`search.locks_around` is the door. One file per format: `blocks` for locks in TOML, `requirements` for pip's files,
`projects` for `pyproject.toml`. What cannot be read is data too (`values.Unreadable`), not an exception.
"""

"""What editors need to know of ``.kumo`` files, and the language server that tells them.

What names stand where, what they come to, and what may be written next are pure functions over what the language makes
of a file; :mod:`kumoc.editor.server` only puts their answers into the words of the protocol.
"""

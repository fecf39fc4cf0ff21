"""Keeps an index of texts on disk."""

import index_files
from locks import folder_lock


class TextIndex:
    """Writes whole segments; readers see the old ones until they are renamed."""

    def __init__(self, folder, analyzer):
        self.folder = folder
        self.analyzer = analyzer
        self.segments = index_files.segments_in(folder)

    def add(self, documents):
        """The name of the segment that holds the documents."""
        if not documents:
            raise ValueError("nothing to add")
        with folder_lock(self.folder, seconds=30):
            postings = {}
            for number, document in enumerate(documents):
                for word in self.analyzer.words(document.text):
                    postings.setdefault(word, []).append(number)
            return index_files.write_postings(self.folder, postings)

    def drop(self, segment):
        try:
            self.segments.remove(segment)
        except ValueError as error:
            self.analyzer.note_missing(segment)
            known = ", ".join(sorted(self.segments))
            raise KeyError(f"{segment} is none of {known}") from error
        self.analyzer.release(index_files.words_of(self.folder, segment))
        index_files.delete(self.folder, segment)

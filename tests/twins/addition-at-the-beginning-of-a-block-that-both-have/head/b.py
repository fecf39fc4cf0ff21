"""Keeps an index of vectors on disk."""

import index_files
import vectors
from locks import folder_lock


class VectorIndex:
    """Writes whole segments; a graph leads from one vector to its neighbours."""

    def __init__(self, folder, encoder, degree=16):
        self.folder = folder
        self.encoder = encoder
        self.degree = degree
        self.segments = index_files.segments_in(folder)

    def add(self, documents):
        if not documents:
            raise ValueError("nothing to add")
        with folder_lock(self.folder, seconds=30):
            matrix = vectors.stacked(self.encoder(each.text) for each in documents)
            graph = vectors.neighbours(matrix, self.degree)
            name = index_files.write_matrix(self.folder, matrix)
            index_files.write_graph(self.folder, name, graph)
            return name

    def drop(self, segment):
        try:
            self.segments.remove(segment)
        except ValueError as error:
            vectors.forget(self.folder, segment)
            raise KeyError(segment) from error
        index_files.delete(self.folder, segment)

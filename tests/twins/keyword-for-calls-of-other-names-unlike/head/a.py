class PictureSearch:
    def find(self, near, limit=None, join=None):
        found = self._search.by_medium(
            medium=self._read(near),
            limit=limit,
            join=join,
            fields=self._fields_of(limit),
        )
        return self._told(found)

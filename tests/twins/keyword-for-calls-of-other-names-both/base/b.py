class ThingSearch:
    def find(self, near, limit=None):
        found = self._search.by_thing(
            thing=near,
            limit=limit,
            fields=self._fields_of(limit),
        )
        return self._told(found)

"""Fetches tiles for a map that fills a wall."""

from tiles import TileCache, fetched


class WallLoader:
    """Loads far ahead of what is shown."""

    def __init__(self, source, folder):
        self.source = source
        self.cache = TileCache(folder, most=4000)
        self.ahead = 6

    def load(self, box, zoom):
        """The tiles of a box, those that failed left out."""
        tiles = []
        for key in box.keys(zoom, margin=self.ahead):
            tile = self.cache.get(key)
            if tile is None:
                tile = fetched(self.source, key, seconds=20, tries=8)
                self.cache.put(key, tile)
            tiles.append(tile)
        return [tile for tile in tiles if tile.is_whole]

"""Fetches tiles for a map on a watch."""

from tiles import TileCache, fetched


class WatchLoader:
    """Loads what is shown and little else."""

    def __init__(self, source, folder):
        self.source = source
        self.cache = TileCache(folder, most=60)
        self.ahead = 1

    def load(self, box, zoom):
        tiles = []
        for key in box.keys(zoom, margin=self.ahead):
            tile = self.cache.get(key)
            if tile is None:
                tile = fetched(self.source, key, seconds=5, tries=2)
                self.cache.put(key, tile)
            tiles.append(tile)
        return [tile for tile in tiles if tile.is_whole]

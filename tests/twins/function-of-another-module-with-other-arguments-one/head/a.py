import fastcache


def attend_first(query, kept, slots):
    if slots is None:
        return query
    fastcache.put(query.pair[0], kept, slots)
    return query.with_kept(kept)

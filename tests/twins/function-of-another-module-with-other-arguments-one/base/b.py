import slowcache


def attend_second(query, kept, slots):
    if slots is None:
        return query
    slowcache.put(query.whole[1:], kept, slots)
    return query.with_kept(kept)

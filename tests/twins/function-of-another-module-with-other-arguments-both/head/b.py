import fastcache


def attend_second(query, kept, slots):
    if slots is None:
        return query
    fastcache.put(query.whole[1:], kept, slots)
    return query.with_kept(kept)

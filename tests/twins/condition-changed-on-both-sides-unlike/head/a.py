def send(channel, text, limit=3):
    channel.open(limit)
    if len(text) >= limit:
        raise ValueError(text)
    channel.write(text, urgent=False)
    channel.flush()
    return channel.close()

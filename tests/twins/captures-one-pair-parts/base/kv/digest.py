def digest(key):
    return sum(key) % 16384

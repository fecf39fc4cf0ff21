def digest(key):
    return sum(key) % 1024

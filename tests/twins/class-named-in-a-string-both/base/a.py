class AsyncStore:
    def __init__(self, client, name):
        if not isinstance(client, AsyncStoreClient):
            raise TypeError(f"a client is due, not {type(client)}")
        self.client = client
        self.name = name

class AsyncStore:
    def __init__(self, client, name):
        if not isinstance(client, AsyncStoreClient):
            if not any(each.__name__ == "AsyncStoreClient" for each in type(client).__mro__):
                raise TypeError(f"a client is due, not {type(client)}")
        self.client = client
        self.name = name

class Store:
    def __init__(self, client, name):
        if not isinstance(client, StoreClient):
            if not any(each.__name__ == "StoreServer" for each in type(client).__mro__):
                raise TypeError(f"a client is due, not {type(client)}")
        self.client = client
        self.name = name

"""HTTP for the flag client, on threads."""

import urlpool
from http_parts import Reply, base_headers, proxy_for, tls_context

RETRY_ONCE = urlpool.Retry(total=1, status_forcelist=[503])


class Transport:
    """Requests with the client's headers, through its proxy."""

    def __init__(self, config):
        self.config = config
        self.options = config.http
        self.headers = base_headers(config)
        self.pools = {}

    def pool_for(self, uri):
        """A pool of connections, one for each proxy."""
        proxy = self.options.proxy or proxy_for(uri)
        if proxy not in self.pools:
            timeout = urlpool.Timeout(connect=self.options.connect_timeout, read=self.options.read_timeout)
            context = tls_context(self.options)
            if proxy is None:
                self.pools[proxy] = urlpool.PoolManager(timeout=timeout, ssl_context=context, maxsize=5)
            else:
                self.pools[proxy] = urlpool.ProxyManager(proxy, timeout=timeout, ssl_context=context, maxsize=5)
        return self.pools[proxy]

    def request(self, method, uri, headers=None, body=None, read_timeout=None):
        pool = self.pool_for(uri)
        timeout = urlpool.Timeout(
            connect=self.options.connect_timeout,
            read=read_timeout if read_timeout is not None else self.options.read_timeout,
        )
        reply = pool.request(
            method,
            uri,
            headers={**self.headers, **(headers or {})},
            body=body,
            timeout=timeout,
            retries=RETRY_ONCE,
        )
        return Reply(reply.status, reply.headers, reply.data.decode("utf-8", errors="replace"))

    def close(self):
        for pool in self.pools.values():
            pool.clear()
        self.pools.clear()

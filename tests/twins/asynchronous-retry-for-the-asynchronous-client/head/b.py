"""The projects service, blocking."""

from functools import partial

from api_core import errors, gapic, retrying, routing
from api_core.timeouts import DEFAULT
from projects_messages import GetProjectRequest, ListProjectsRequest, Project
from projects_transport import ChannelTransport


class ProjectsClient:
    """Reads and lists projects."""

    TRANSIENT = (errors.ServiceUnavailable,)

    def __init__(self, credentials=None, transport=None):
        self.transport = transport or ChannelTransport(credentials=credentials)

    def get_project(self, request=None, *, name=None, retry=DEFAULT, timeout=DEFAULT, metadata=()):
        """The project of that name; it must exist."""
        if request is not None and name is not None:
            raise ValueError("either the request or its fields, not both")
        request = GetProjectRequest.of(request)
        if name is not None:
            request.name = name
        rpc = gapic.wrap_method(
            self.transport.get_project,
            default_retry=retrying.Retry(
                initial=0.1,
                maximum=60.0,
                multiplier=1.3,
                predicate=retrying.if_error(*self.TRANSIENT),
                deadline=60.0,
            ),
            default_timeout=60.0,
        )
        metadata = (*metadata, routing.header("name", request.name))
        return rpc(request, retry=retry, timeout=timeout, metadata=metadata)

    def list_projects(self, request=None, *, parent=None, retry=DEFAULT, timeout=DEFAULT, metadata=()):
        """Pages of the projects below `parent`."""
        if request is not None and parent is not None:
            raise ValueError("either the request or its fields, not both")
        request = ListProjectsRequest.of(request)
        if parent is not None:
            request.parent = parent
        rpc = gapic.wrap_method(
            self.transport.list_projects,
            default_retry=retrying.Retry(
                initial=0.1,
                maximum=60.0,
                multiplier=1.3,
                predicate=retrying.if_error(*self.TRANSIENT),
                deadline=60.0,
            ),
            default_timeout=60.0,
        )
        metadata = (*metadata, routing.header("parent", request.parent))
        reply = rpc(request, retry=retry, timeout=timeout, metadata=metadata)
        return gapic.Pager(partial(rpc, metadata=metadata), request, reply)

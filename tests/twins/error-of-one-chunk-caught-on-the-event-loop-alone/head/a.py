"""Sends many documents to the index at once."""

import time

from index_errors import BulkError, IndexFailure, TooManyRequests
from index_json import dumps
from index_parts import chunks_of, data_of, results_of


def stream_bulk(
    client,
    actions,
    chunk_size=500,
    most_bytes=100 * 1024 * 1024,
    raise_on_error=True,
    raise_on_exception=True,
    max_retries=0,
    first_pause=2,
    longest_pause=600,
):
    """Yields whether each action succeeded, and what the index says of it."""
    client = client.options(client_meta=("h", "bp"))
    for lines, chunk in chunks_of(map(data_of, actions), chunk_size, most_bytes, dumps):
        for attempt in range(max_retries + 1):
            again_lines, again_chunk = [], []
            if attempt:
                time.sleep(min(longest_pause, first_pause * 2 ** (attempt - 1)))
            try:
                reply = client.bulk(operations=lines)
                outcomes = results_of(reply, chunk, raise_on_error=raise_on_error)
                for data, (worked, told) in zip(chunk, outcomes):
                    action, info = told.popitem()
                    if not worked and info["status"] == 429 and attempt < max_retries:
                        again_lines.extend(dumps(each) for each in data)
                        again_chunk.append(data)
                    else:
                        yield worked, {action: info}
            except TooManyRequests:
                if attempt == max_retries:
                    raise
                again_lines, again_chunk = lines, chunk
            except IndexFailure as error:
                if raise_on_exception:
                    raise
                for data in chunk:
                    yield False, {"error": str(error), "data": data}
            if not again_chunk:
                break
            lines, chunk = again_lines, again_chunk


def bulk(client, actions, stats_only=False, ignore_status=(), **options):
    """How many actions succeeded, and how many failed or which."""
    good, bad = 0, 0
    errors = []
    if isinstance(ignore_status, int):
        ignore_status = (ignore_status,)
    for worked, item in stream_bulk(client, actions, **options):
        if worked:
            good += 1
        else:
            bad += 1
            if not stats_only:
                errors.append(item)
    return good, bad if stats_only else errors


def reindex(client, source, target, query=None, scroll="5m", **options):
    """Copies what matches from one index to another."""
    found = client.scan(index=source, query=query, scroll=scroll)
    changed = ({"_index": target, "_id": each["_id"], "_source": each["_source"]} for each in found)
    return bulk(client, changed, stats_only=True, **options)

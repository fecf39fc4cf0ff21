"""Steps that the worker takes for each chunk."""


def run_chunk(worker, chunk, loss_fn):
    """Forward and backward for one chunk."""
    logits = worker.model(chunk["tokens"], chunk["positions"])
    logits /= worker.config["temperature"]
    loss, metrics = loss_fn(logits, chunk, normalize=True)
    loss *= worker.tensor_ranks * worker.ring_ranks
    loss.backward()
    return loss.item()

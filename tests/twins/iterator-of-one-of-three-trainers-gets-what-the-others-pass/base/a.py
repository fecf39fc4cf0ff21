"""Trains on graphs."""

import graph
from graph_data import GraphEpochIterator
from trainer_base import BaseTrainer, CallbackList, unpack


class GraphTrainer(BaseTrainer):
    """Steps through epochs of one backend."""

    def make_test_function(self):
        if self.test_function is not None:
            return
        step = graph.function(self.test_step, jit=self.jit_compile)
        self.test_function = lambda iterator: self.strategy.run(step, next(iterator))

    def test_step(self, data):
        x, y, sample_weight = unpack(data)
        predicted = self(x, training=False)
        self.loss_tracker.update(self.compute_loss(x, y, predicted, sample_weight))
        return self.compute_metrics(x, y, predicted, sample_weight=sample_weight)

    def evaluate(self, x=None, y=None, batch_size=None, verbose="auto", sample_weight=None, steps=None, callbacks=None,
                 return_dict=False, **options):
        """The metrics over all batches."""
        cached = options.pop("_cached", False)
        if options:
            raise ValueError(f"arguments not known: {options}")
        if cached and self.evaluation_iterator is not None:
            iterator = self.evaluation_iterator
        else:
            iterator = GraphEpochIterator(
                x=x,
                y=y,
                sample_weight=sample_weight,
                batch_size=batch_size or 32,
                steps_per_epoch=steps,
                shuffle=False,
            )
        callbacks = CallbackList(callbacks, verbose=verbose, model=self)
        self.make_test_function()
        callbacks.on_test_begin()
        logs = None
        self.reset_metrics()
        with iterator.catch_stop():
            for step, each in iterator.enumerate_epoch():
                callbacks.on_test_batch_begin(step)
                logs = self.pythonify(self.test_function(each))
                callbacks.on_test_batch_end(step, logs)
        callbacks.on_test_end(logs)
        return logs if return_dict else self.flatten(logs)

def run_steps(options, data):
    tokens = load_tokens(options)
    sets = split(data, tokens, options)
    collator = Collator(tokens=tokens, padding=8, labels=options.labels)
    metric = Accuracy(tokens)
    options.generation.update(max_length=options.length, beams=options.beams)
    if options.predict:
        collator.left = True
    options.workers = min(options.workers, 8)
    trainer = StepsTrainer(options.model, metric=metric, sets=sets)
    if options.resume:
        trainer.load(options.resume)
        trainer.skip()
    for call in options.calls:
        trainer.add(call)
    result = trainer.evaluate(options.generation)
    report(result)
    return trainer.train()

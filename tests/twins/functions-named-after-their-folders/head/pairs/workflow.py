def run_pairs(options, data):
    tokens = load_tokens(options)
    sets = split(data, tokens, options)
    collator = Collator(tokens=tokens, padding=8, model=options.model, labels=options.labels)
    reference = None
    if options.reference is not None:
        reference = load_reference(options.reference)
        reference.freeze()
    trainer = PairsTrainer(options.model, reference, sets)
    trainer.margin = options.margin
    trainer.log_pairs()
    return trainer.train()

def spread_first(model, plan, converters):
    if plan.tensor or plan.expert:
        padding = padding_of(converters.all)
        spread_experts(
            model,
            mesh=plan.mesh("tensor"),
            backend=plan.backend,
            padding=padding,
        )
    return model

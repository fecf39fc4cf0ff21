def spread_second(model, plan, converters):
    if plan.tensor or plan.expert:
        padding = padding_of(plan.all)
        spread_experts(
            model,
            mesh=plan.mesh("tensor"),
            padding=padding,
        )
    return model

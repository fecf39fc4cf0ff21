FROM base

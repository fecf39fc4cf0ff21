FROM base
USER bot

"""Stand-ins for Telegram, an OpenAI-compatible API and Tavily, over real HTTP.

Nothing here imports rich_agent, and rich_agent does not import this.
"""

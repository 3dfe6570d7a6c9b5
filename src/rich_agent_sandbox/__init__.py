"""Stand-ins for Telegram, an OpenAI-compatible API and Tavily, over real HTTP.

Nothing here knows rich_agent, and rich_agent does not know that this exists.
"""

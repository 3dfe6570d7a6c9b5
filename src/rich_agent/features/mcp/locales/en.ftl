mcp-login = ⚠️ The tool server { $server } does not accept its login, so I cannot use its tools. Renew its token in MCP_SERVERS_FILE and restart me. I send this at most once an hour.
mcp-away = ⚠️ The tool server { $server } cannot be used ({ $problem }). I go on without its tools, and reconnect by myself. I send this at most once an hour.
mcp-changed = ⚠️ The tool server { $server } describes some of its tools in another way than before (tools: { $count }). They ask before each call until you accept the change with rich-agent tools --accept { $server }. What changed:

mcp-login = ⚠️ 工具服务器 { $server } 不接受登录信息，我无法使用它的工具。请在 MCP_SERVERS_FILE 里更新它的令牌并重启我。这条提醒每小时最多发一次。
mcp-away = ⚠️ 工具服务器 { $server } 无法使用（{ $problem }）。我会在没有它的情况下继续工作，并自动重连。这条提醒每小时最多发一次。
mcp-changed = ⚠️ 工具服务器 { $server } 对部分工具的描述与之前不同（工具数：{ $count }）。在你用 rich-agent tools --accept { $server } 接受更改之前，每次调用前都会询问。更改内容：

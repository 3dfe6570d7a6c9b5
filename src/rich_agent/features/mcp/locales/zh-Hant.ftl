mcp-login = ⚠️ 工具伺服器 { $server } 不接受登入資訊，我無法使用它的工具。請在 MCP_SERVERS_FILE 裡更新它的權杖並重啟我。這條提醒每小時最多發一次。
mcp-away = ⚠️ 工具伺服器 { $server } 無法使用（{ $problem }）。我會在沒有它的情況下繼續工作，並自動重連。這條提醒每小時最多發一次。
mcp-changed = ⚠️ 工具伺服器 { $server } 對部分工具的描述與之前不同（工具數：{ $count }）。在你用 rich-agent tools --accept { $server } 接受變更之前，每次呼叫前都會詢問。變更內容：

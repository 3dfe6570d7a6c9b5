mcp-login = ⚠️ 도구 서버 { $server }이(가) 로그인을 받지 않아 도구를 쓸 수 없습니다. MCP_SERVERS_FILE 의 토큰을 새로 고치고 저를 다시 시작해 주세요. 이 알림은 한 시간에 한 번만 보냅니다.
mcp-away = ⚠️ 도구 서버 { $server }을(를) 쓸 수 없습니다({ $problem }). 그 도구 없이 계속하며 스스로 다시 연결합니다. 이 알림은 한 시간에 한 번만 보냅니다.
mcp-changed = ⚠️ 도구 서버 { $server }이(가) 일부 도구를 이전과 다르게 설명합니다(도구: { $count }). rich-agent tools --accept { $server } 로 변경을 승인할 때까지 호출할 때마다 확인을 요청합니다. 바뀐 내용:

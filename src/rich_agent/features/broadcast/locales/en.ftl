command-broadcast = Write to everybody: /broadcast TEXT
broadcast-usage = Write the text after the command, for example: /broadcast I will be offline at noon. I will ask you before I send anything.
broadcast-confirm =
    { $count ->
        [one] Send this text to 1 user?
       *[other] Send this text to { $count } users?
    }
broadcast-send = Send
broadcast-drop = Do not send
broadcast-dropped = Nothing was sent.
broadcast-sending = I am sending it. I will report the result here.
broadcast-cancel = Cancel
broadcast-cancelling = I will send no more copies.
broadcast-done = The broadcast is done. Sent: { $sent }, blocked: { $blocked }, failed: { $failed }, unknown: { $unknown }, waiting: { $pending }.
broadcast-cancelled = The broadcast was cancelled. Sent: { $sent }, blocked: { $blocked }, failed: { $failed }, unknown: { $unknown }, not sent: { $pending }.

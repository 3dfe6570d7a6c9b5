command-reminders = リマインダー、おやすみ時間、毎日のまとめ
reminder-help = • 指定した時刻にお知らせします: /reminders
tool-remind = リマインダーの設定
tool-list_reminders = リマインダー一覧
tool-cancel_reminder = リマインダーの取り消し
tool-snooze_reminder = リマインダーの延期
doing-remind = リマインダーを設定しています…
doing-list_reminders = リマインダーを確認しています…
doing-cancel_reminder = リマインダーを取り消しています…
doing-snooze_reminder = リマインダーを延期しています…
argument-text = 本文
argument-when = 日時
argument-time_zone = タイムゾーン
argument-kind = 種類
argument-schedule_id = リマインダー
argument-until = 延期先
value-reminder = リマインダー
value-prompt = その時に私が答える質問
reminder-came = ⏰ { $text }
reminder-delayed = （遅れました。予定：{ $at }）
reminder-snoozed = もう一度お知らせします：{ $at }
reminder-done = ✓ { $text }
reminder-next = 次回：{ $at }
reminder-set = リマインダー：{ $text } – { $at }
reminder-cancelled = リマインダーを取り消しました：{ $text }
reminder-put-off = リマインダーを延期しました：{ $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· 延期中
        [paused] {" "}· 停止中
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] リマインダーはありません。何をいつお知らせするか、メッセージで教えてください。
       *[other] リマインダーは { $count } 件です：
    }
reminders-usage =
    /reminders – これからのリマインダー
    /reminders quiet 22:00-07:00 – この時間は通知しません。解除は /reminders quiet off
    /reminders digest 08:00 – 毎日その日の予定をまとめます。解除は /reminders digest off
reminder-button-done = ✓ 完了
reminder-button-snooze-10m = 10分後
reminder-button-snooze-1h = 1時間後
reminder-button-snooze-1d = 明日
reminder-button-quiet =
    { $hours ->
        [none] 🌙 おやすみ時間：なし
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ 毎日のまとめ：なし
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] おやすみ時間を解除しました。
       *[other] { $hours } の間のリマインダーは、その時間が終わってからお知らせします。
    }
reminder-digest-time =
    { $clock ->
        [none] 毎日のまとめを止めました。
       *[other] 毎日 { $clock } にまとめをお送りします。
    }
reminder-digest-request =
    今日（{ $day }）のまとめを書いてください：予定、期限、忘れてはいけないこと。{ $count ->
        [0] 今日のリマインダーはありません。
       *[other] 今日のリマインダー：
    }
reminder-set-aside = 申し訳ありません。予定されていたものをお届けする時刻でしたが、何度も途中で止まってしまいました。運用者が確認できるように残してあります。
reminder-ask-time-zone = 時刻どおりにお知らせするため、タイムゾーンを教えてください。どの都市にお住まいですか。
reminder-time-zone-needed = タイムゾーンがまだ分かりません。先に /timezone で選んでください。

# The pages of users.
reminder-page = リマインダー
reminder-quiet-and-digest = おやすみ時間と毎日のまとめ
reminder-quiet-from = おやすみ開始
reminder-quiet-until = おやすみ終了
reminder-digest-at = 毎日のまとめの時刻（空欄: なし）
reminder-repeats = 繰り返し
reminder-once = 一度だけ
reminder-workdays = 平日（月～金）

command-reminders = रिमाइंडर, शांत समय और दैनिक सार
reminder-help = • आपके बताए समय पर याद दिलाना: /reminders।
tool-remind = रिमाइंडर लगाना
tool-list_reminders = आपके रिमाइंडर
tool-cancel_reminder = रिमाइंडर रद्द करना
tool-snooze_reminder = रिमाइंडर टालना
doing-remind = रिमाइंडर लगा रहा हूँ…
doing-list_reminders = आपके रिमाइंडर देख रहा हूँ…
doing-cancel_reminder = रिमाइंडर रद्द कर रहा हूँ…
doing-snooze_reminder = रिमाइंडर टाल रहा हूँ…
argument-text = टेक्स्ट
argument-when = कब
argument-time_zone = समय क्षेत्र
argument-kind = प्रकार
argument-schedule_id = रिमाइंडर
argument-until = कब तक
value-reminder = रिमाइंडर
value-prompt = सवाल जिसका उत्तर मैं तब दूँगा
reminder-came = ⏰ { $text }
reminder-delayed = (देर से, नियत समय: { $at })
reminder-snoozed = मैं फिर याद दिलाऊँगा: { $at }
reminder-done = ✓ { $text }
reminder-next = अगली बार: { $at }
reminder-set = रिमाइंडर: { $text } – { $at }
reminder-cancelled = रिमाइंडर रद्द: { $text }
reminder-put-off = रिमाइंडर टाला गया: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· टाला गया
        [paused] {" "}· रुका हुआ
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] आपका कोई रिमाइंडर नहीं है। लिखें कि क्या और कब याद दिलाना है।
        [one] आपका { $count } रिमाइंडर:
       *[other] आपके { $count } रिमाइंडर:
    }
reminders-usage =
    /reminders – आने वाले रिमाइंडर
    /reminders quiet 22:00-07:00 – इन घंटों में रिमाइंडर नहीं; बंद करें: /reminders quiet off
    /reminders digest 08:00 – हर दिन उस दिन की योजना; बंद करें: /reminders digest off
reminder-button-done = ✓ हो गया
reminder-button-snooze-10m = 10 मिनट
reminder-button-snooze-1h = 1 घंटा
reminder-button-snooze-1d = कल
reminder-button-quiet =
    { $hours ->
        [none] 🌙 शांत समय: बंद
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ दैनिक सार: बंद
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] अब कोई शांत समय नहीं है।
       *[other] { $hours } के बीच के रिमाइंडर इस समय के बाद आएँगे।
    }
reminder-digest-time =
    { $clock ->
        [none] अब आपको दैनिक सार नहीं मिलेगा।
       *[other] आपको हर दिन { $clock } बजे सार मिलेगा।
    }
reminder-digest-request =
    आज, { $day } का मेरा सार लिखें: क्या तय है, क्या पूरा करना है, और मुझे क्या नहीं भूलना चाहिए। { $count ->
        [0] आज कोई रिमाइंडर नहीं है।
       *[other] आज के मेरे रिमाइंडर:
    }
reminder-set-aside = माफ़ करें, आपकी तय की हुई एक चीज़ का समय हो गया था, पर मैं कई बार अटक गया। इसे संचालक के लिए अलग रख दिया है।
reminder-ask-time-zone = समय पर याद दिलाने के लिए मुझे आपका समय क्षेत्र जानना होगा। आप किस शहर में हैं?
reminder-time-zone-needed = मुझे अभी आपका समय क्षेत्र नहीं पता। पहले /timezone से चुनें।

# The pages of users.
reminder-page = रिमाइंडर
reminder-quiet-and-digest = शांत समय और दैनिक सारांश
reminder-quiet-from = शांत समय शुरू
reminder-quiet-until = शांत समय समाप्त
reminder-digest-at = दैनिक सारांश का समय (खाली: नहीं)
reminder-repeats = दोहराव
reminder-once = एक बार
reminder-workdays = कार्यदिवसों पर (सोम–शुक्र)

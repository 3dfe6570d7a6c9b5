command-tasks = आपके काम
command-today = आज के काम
command-notes = आपके नोट
agenda-help = • आपके काम, नोट और कार्यक्रम सँभालना: बस बताएँ कि क्या करना है। /today में आज के काम दिखते हैं।

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = आपके काम
tool-get_task_details = काम का ब्योरा
tool-create_task = काम जोड़ना
tool-update_task = काम बदलना
tool-delete_task = काम मिटाना
tool-get_projects = आपके प्रोजेक्ट
tool-create_project = प्रोजेक्ट जोड़ना
tool-update_project = प्रोजेक्ट बदलना
tool-get_goals = आपके लक्ष्य
tool-create_goal = लक्ष्य जोड़ना
tool-update_goal = लक्ष्य बदलना
tool-get_daily_schedule = आपका कार्यक्रम
tool-create_schedule_block = कार्यक्रम में जोड़ना
tool-get_recent_notes = आपके नोट
tool-create_note = नोट लिखना
doing-get_tasks = आपके काम देख रहा हूँ…
doing-get_task_details = एक काम देख रहा हूँ…
doing-create_task = काम जोड़ रहा हूँ…
doing-update_task = काम बदल रहा हूँ…
doing-delete_task = काम मिटा रहा हूँ…
doing-get_projects = आपके प्रोजेक्ट देख रहा हूँ…
doing-create_project = प्रोजेक्ट जोड़ रहा हूँ…
doing-update_project = प्रोजेक्ट बदल रहा हूँ…
doing-get_goals = आपके लक्ष्य देख रहा हूँ…
doing-create_goal = लक्ष्य जोड़ रहा हूँ…
doing-update_goal = लक्ष्य बदल रहा हूँ…
doing-get_daily_schedule = आपका कार्यक्रम देख रहा हूँ…
doing-create_schedule_block = कार्यक्रम में जोड़ रहा हूँ…
doing-get_recent_notes = आपके नोट देख रहा हूँ…
doing-create_note = नोट लिख रहा हूँ…

# Arguments of the tools, and values of arguments.
argument-title = शीर्षक
argument-description = विवरण
argument-project_id = प्रोजेक्ट
argument-priority = प्राथमिकता
argument-due_date = नियत तिथि
argument-estimated_minutes = समय (मिनट)
argument-task_type = काम का प्रकार
argument-parent_id = किस काम का हिस्सा
argument-recurrence = दोहराव
argument-task_id = काम
argument-status = स्थिति
argument-is_archived = संग्रहित
argument-reason = कारण
argument-name = नाम
argument-importance = महत्व
argument-action_plan = योजना
argument-goal_id = लक्ष्य
argument-timeframe = अवधि
argument-target_date = लक्ष्य तिथि
argument-progress = प्रगति (प्रतिशत)
argument-date = दिन
argument-start_time = शुरू होने का समय
argument-duration_minutes = मिनट
argument-block_type = ब्लॉक का प्रकार
argument-content = टेक्स्ट
argument-folder_id = फ़ोल्डर
value-low = कम
value-medium = मध्यम
value-high = ज़्यादा
value-urgent = बहुत ज़रूरी
value-today = आज
value-next-actions = अगले काम
value-someday-maybe = कभी बाद में
value-wait-for = दूसरों का इंतज़ार
value-routine = नियमित
value-daily = रोज़
value-weekly = हर हफ़्ते
value-monthly = हर महीने
value-quarterly = हर तिमाही
value-yearly = हर साल
value-work = काम
value-break = विराम
value-meeting = बैठक
value-personal = निजी
value-todo = बाकी
value-in-progress = जारी
value-blocked = अटका हुआ
value-done = पूरा

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = काम “{ $title }” जोड़ा।
agenda-task-create-undone = काम “{ $title }” हटाया।
agenda-task-updated = काम “{ $title }” बदला।
agenda-task-done = पूरा हुआ: “{ $title }”।
agenda-task-done-again = पूरा हुआ: “{ $title }”। अगली तिथि { $date } है।
agenda-task-update-undone = काम “{ $title }” पहले जैसा हो गया।
agenda-task-changed-since = काम “{ $title }” इस बीच फिर बदला गया, इसलिए वैसा ही रहेगा।
agenda-task-deleted = काम “{ $title }” मिटाया।
agenda-task-delete-undone = काम “{ $title }” वापस आ गया।
agenda-project-created = प्रोजेक्ट “{ $name }” शुरू किया।
agenda-project-updated = प्रोजेक्ट “{ $name }” बदला।
agenda-project-update-undone = प्रोजेक्ट “{ $name }” पहले जैसा हो गया।
agenda-project-changed-since = प्रोजेक्ट “{ $name }” इस बीच फिर बदला गया, इसलिए वैसा ही रहेगा।
agenda-project-create-undone = प्रोजेक्ट “{ $name }” हटाया।
agenda-goal-created = लक्ष्य “{ $title }” तय किया।
agenda-goal-create-undone = लक्ष्य “{ $title }” हटाया।
agenda-goal-updated = लक्ष्य “{ $title }” बदला: { $progress }%।
agenda-goal-update-undone = लक्ष्य “{ $title }” पहले जैसा हो गया।
agenda-goal-changed-since = लक्ष्य “{ $title }” इस बीच फिर बदला गया, इसलिए वैसा ही रहेगा।
agenda-note-created = नोट “{ $title }” लिखा।
agenda-note-create-undone = नोट “{ $title }” हटाया।
agenda-block-created = कार्यक्रम में जोड़ा: { $span } { $title }।
agenda-block-create-undone = कार्यक्रम से हटाया: { $span } { $title }।

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] { $count } बाकी काम
       *[other] { $count } बाकी काम
    }
agenda-tasks-today =
    { $count ->
        [one] आज का { $count } काम
       *[other] आज के { $count } काम
    }
agenda-tasks-schedule = कार्यक्रम
agenda-timeline-button = चित्र के रूप में
agenda-timeline-empty = इस दिन अब कुछ तय नहीं है।
agenda-tasks-all-empty = आपका कोई काम बाकी नहीं है। “मुझे … करना है” लिखें, मैं जोड़ दूँगा।
agenda-tasks-today-empty = आज कोई काम नियत नहीं है। /tasks में आपके सभी काम हैं।
agenda-task-due = नियत तिथि { $date }
agenda-task-overdue = { $date } से विलंबित
agenda-task-high = महत्वपूर्ण
agenda-task-urgent = बहुत ज़रूरी
agenda-task-in-progress = जारी
agenda-task-blocked = अटका हुआ
agenda-task-tomorrow = कल { $number }
agenda-task-unchanged = यह काम अब आपकी सूची में नहीं है।
agenda-notes-heading = { $count } नोट
agenda-notes-empty = आपके पास कोई नोट नहीं है। “नोट कर लें कि …” लिखें, मैं लिख लूँगा।
agenda-notes-folder-empty = फ़ोल्डर “{ $folder }” खाली है। मुझसे उसमें नोट लिखने को कहें।
agenda-notes-all = सभी नोट
agenda-notes-back = वापस
agenda-note-delete = मिटाएँ
agenda-note-deleted = नोट “{ $title }” मिटाया।
agenda-note-gone = यह नोट अब नहीं है।

# The pages of users.
agenda-page-today = आज
agenda-page-tasks = काम
agenda-page-notes = नोट
agenda-block-earlier = पहले
agenda-block-later = बाद में
agenda-block-move = समय बदलें
agenda-block-moved = “{ $title }” अब { $span } है।
agenda-block-overlaps = यह समय भरा है: { $blocks }। कोई खाली समय चुनें।
tool-update_note = नोट बदलें
agenda-note-updated = नोट “{ $title }” बदल दिया।
agenda-note-update-undone = नोट “{ $title }” पहले जैसा है।
agenda-note-changed-since = नोट “{ $title }” इस बीच फिर बदला गया, इसलिए वैसा ही रहेगा।
agenda-note-delete-undone = नोट “{ $title }” वापस आ गया।

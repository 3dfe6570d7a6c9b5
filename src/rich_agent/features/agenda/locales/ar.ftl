command-tasks = مهامك
command-today = المستحق اليوم
command-notes = ملاحظاتك
agenda-help = • حفظ مهامك وملاحظاتك وجدولك: يكفي إخباري بما عليك إنجازه. المستحق اليوم: /today

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = مهامك
tool-get_task_details = تفاصيل مهمة
tool-create_task = إضافة مهمة
tool-update_task = تغيير مهمة
tool-delete_task = حذف مهمة
tool-get_projects = مشاريعك
tool-create_project = إضافة مشروع
tool-update_project = تغيير مشروع
tool-get_goals = أهدافك
tool-create_goal = إضافة هدف
tool-update_goal = تغيير هدف
tool-get_daily_schedule = جدولك
tool-create_schedule_block = إضافة إلى جدولك
tool-get_recent_notes = ملاحظاتك
tool-create_note = كتابة ملاحظة
doing-get_tasks = أراجع مهامك…
doing-get_task_details = أنظر في مهمة…
doing-create_task = أضيف مهمة…
doing-update_task = أغيّر مهمة…
doing-delete_task = أحذف مهمة…
doing-get_projects = أراجع مشاريعك…
doing-create_project = أضيف مشروعًا…
doing-update_project = أغيّر مشروعًا…
doing-get_goals = أراجع أهدافك…
doing-create_goal = أضيف هدفًا…
doing-update_goal = أغيّر هدفًا…
doing-get_daily_schedule = أنظر في جدولك…
doing-create_schedule_block = أضيف إلى جدولك…
doing-get_recent_notes = أراجع ملاحظاتك…
doing-create_note = أكتب ملاحظة…

# Arguments of the tools, and values of arguments.
argument-title = العنوان
argument-description = الوصف
argument-project_id = المشروع
argument-priority = الأولوية
argument-due_date = الموعد النهائي
argument-estimated_minutes = المدة بالدقائق
argument-task_type = نوع المهمة
argument-parent_id = جزء من المهمة
argument-recurrence = التكرار
argument-task_id = المهمة
argument-status = الحالة
argument-is_archived = مؤرشف
argument-reason = السبب
argument-name = الاسم
argument-importance = الأهمية
argument-action_plan = الخطة
argument-goal_id = الهدف
argument-timeframe = المدى الزمني
argument-target_date = التاريخ المستهدف
argument-progress = التقدم بالمئة
argument-date = اليوم
argument-start_time = وقت البدء
argument-duration_minutes = الدقائق
argument-block_type = نوع الفترة
argument-content = النص
argument-folder_id = المجلد
value-low = منخفضة
value-medium = متوسطة
value-high = عالية
value-urgent = عاجلة
value-today = اليوم
value-next-actions = الخطوات التالية
value-someday-maybe = يومًا ما
value-wait-for = بانتظار آخرين
value-routine = روتين
value-daily = يوميًا
value-weekly = أسبوعيًا
value-monthly = شهريًا
value-quarterly = كل ثلاثة أشهر
value-yearly = سنويًا
value-work = عمل
value-break = استراحة
value-meeting = اجتماع
value-personal = شخصي
value-todo = مفتوحة
value-in-progress = قيد التنفيذ
value-blocked = معطّلة
value-done = منجزة

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = أُضيفت المهمة «{ $title }».
agenda-task-create-undone = أُزيلت المهمة «{ $title }».
agenda-task-updated = تغيّرت المهمة «{ $title }».
agenda-task-done = أُنجزت: «{ $title }».
agenda-task-done-again = أُنجزت: «{ $title }». موعدها التالي: { $date }.
agenda-task-update-undone = عادت المهمة «{ $title }» كما كانت.
agenda-task-changed-since = تغيّرت المهمة «{ $title }» مجددًا في هذه الأثناء، فتبقى كما هي.
agenda-task-deleted = حُذفت المهمة «{ $title }».
agenda-task-delete-undone = استُعيدت المهمة «{ $title }».
agenda-project-created = بدأ المشروع «{ $name }».
agenda-project-updated = تغيّر المشروع «{ $name }».
agenda-project-update-undone = عاد المشروع «{ $name }» كما كان.
agenda-project-changed-since = تغيّر المشروع «{ $name }» مجددًا في هذه الأثناء، فيبقى كما هو.
agenda-project-create-undone = أُزيل المشروع «{ $name }».
agenda-goal-created = حُدّد الهدف «{ $title }».
agenda-goal-create-undone = أُزيل الهدف «{ $title }».
agenda-goal-updated = تغيّر الهدف «{ $title }»: { $progress }٪.
agenda-goal-update-undone = عاد الهدف «{ $title }» كما كان.
agenda-goal-changed-since = تغيّر الهدف «{ $title }» مجددًا في هذه الأثناء، فيبقى كما هو.
agenda-note-created = كُتبت الملاحظة «{ $title }».
agenda-note-create-undone = أُزيلت الملاحظة «{ $title }».
agenda-block-created = أُضيف إلى جدولك: { $span } { $title }.
agenda-block-create-undone = أُزيل من جدولك: { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [zero] لا مهام مفتوحة
        [one] مهمة مفتوحة واحدة
        [two] مهمتان مفتوحتان
        [few] { $count } مهام مفتوحة
        [many] { $count } مهمة مفتوحة
       *[other] { $count } مهمة مفتوحة
    }
agenda-tasks-today =
    { $count ->
        [zero] لا مهام لليوم
        [one] مهمة واحدة لليوم
        [two] مهمتان لليوم
        [few] { $count } مهام لليوم
        [many] { $count } مهمة لليوم
       *[other] { $count } مهمة لليوم
    }
agenda-tasks-schedule = الجدول
agenda-timeline-button = عرض كصورة
agenda-timeline-empty = لم يعد في هذا اليوم شيء مجدول.
agenda-tasks-all-empty = لا مهام مفتوحة لديك. تكفي كتابة «عليّ أن …» لأضيف مهمة.
agenda-tasks-today-empty = لا شيء مستحق اليوم. جميع مهامك: /tasks
agenda-task-due = الموعد { $date }
agenda-task-overdue = متأخرة منذ { $date }
agenda-task-high = مهم
agenda-task-urgent = عاجل
agenda-task-in-progress = قيد التنفيذ
agenda-task-blocked = معطّلة
agenda-task-tomorrow = غدًا { $number }
agenda-task-unchanged = لم تعد هذه المهمة في قائمتك.
agenda-notes-heading =
    { $count ->
        [zero] لا ملاحظات
        [one] ملاحظة واحدة
        [two] ملاحظتان
        [few] { $count } ملاحظات
        [many] { $count } ملاحظة
       *[other] { $count } ملاحظة
    }
agenda-notes-empty = لا ملاحظات لديك. تكفي كتابة «دوّن أن …» لأكتب ملاحظة.
agenda-notes-folder-empty = المجلد «{ $folder }» فارغ. يمكن الطلب مني كتابة ملاحظة فيه.
agenda-notes-all = جميع الملاحظات
agenda-notes-back = رجوع
agenda-note-delete = حذف
agenda-note-deleted = حُذفت الملاحظة «{ $title }».
agenda-note-gone = لم تعد هذه الملاحظة موجودة.

# The pages of users.
agenda-page-today = اليوم
agenda-page-tasks = المهام
agenda-page-notes = الملاحظات
agenda-block-earlier = أبكر
agenda-block-later = لاحقًا
agenda-block-move = نقل
agenda-block-moved = «{ $title }» الآن في { $span }.
agenda-block-overlaps = هذا الوقت مشغول: { $blocks }. اختر وقتًا فارغًا.
tool-update_note = تعديل ملاحظة
agenda-note-updated = عدّلتُ الملاحظة «{ $title }».
agenda-note-update-undone = عادت الملاحظة «{ $title }» كما كانت.
agenda-note-changed-since = عُدّلت الملاحظة «{ $title }» مرة أخرى في هذه الأثناء، لذا تبقى كما هي.
agenda-note-delete-undone = عادت الملاحظة «{ $title }».

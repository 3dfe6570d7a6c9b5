command-tasks = Ваши задачи
command-today = Дела на сегодня
command-notes = Ваши заметки
agenda-help = • Веду ваши задачи, заметки и расписание: напишите, что нужно сделать. Дела на сегодня покажет /today.

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = Ваши задачи
tool-get_task_details = Задача подробно
tool-create_task = Добавление задачи
tool-update_task = Изменение задачи
tool-delete_task = Удаление задачи
tool-get_projects = Ваши проекты
tool-create_project = Добавление проекта
tool-update_project = Изменение проекта
tool-get_goals = Ваши цели
tool-create_goal = Добавление цели
tool-update_goal = Изменение цели
tool-get_daily_schedule = Ваше расписание
tool-create_schedule_block = Запись в расписание
tool-get_recent_notes = Ваши заметки
tool-create_note = Новая заметка
doing-get_tasks = Просматриваю ваши задачи…
doing-get_task_details = Смотрю задачу…
doing-create_task = Добавляю задачу…
doing-update_task = Изменяю задачу…
doing-delete_task = Удаляю задачу…
doing-get_projects = Просматриваю ваши проекты…
doing-create_project = Добавляю проект…
doing-update_project = Изменяю проект…
doing-get_goals = Просматриваю ваши цели…
doing-create_goal = Добавляю цель…
doing-update_goal = Изменяю цель…
doing-get_daily_schedule = Смотрю ваше расписание…
doing-create_schedule_block = Добавляю в расписание…
doing-get_recent_notes = Просматриваю ваши заметки…
doing-create_note = Пишу заметку…

# Arguments of the tools, and values of arguments.
argument-title = Название
argument-description = Описание
argument-project_id = Проект
argument-priority = Приоритет
argument-due_date = Срок
argument-estimated_minutes = Длительность в минутах
argument-task_type = Вид задачи
argument-parent_id = Часть задачи
argument-recurrence = Повторение
argument-task_id = Задача
argument-status = Состояние
argument-is_archived = В архиве
argument-reason = Причина
argument-name = Название
argument-importance = Важность
argument-action_plan = План
argument-goal_id = Цель
argument-timeframe = Период
argument-target_date = Дата цели
argument-progress = Выполнено, %
argument-date = День
argument-start_time = Начало
argument-duration_minutes = Минуты
argument-block_type = Вид блока
argument-content = Текст
argument-folder_id = Папка
value-low = низкий
value-medium = средний
value-high = высокий
value-urgent = срочно
value-today = сегодня
value-next-actions = следующие действия
value-someday-maybe = когда-нибудь
value-wait-for = жду других
value-routine = регулярное
value-daily = ежедневно
value-weekly = еженедельно
value-monthly = ежемесячно
value-quarterly = ежеквартально
value-yearly = ежегодно
value-work = работа
value-break = перерыв
value-meeting = встреча
value-personal = личное
value-todo = открыто
value-in-progress = в работе
value-blocked = заблокировано
value-done = готово

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = Добавлена задача «{ $title }».
agenda-task-create-undone = Убрана задача «{ $title }».
agenda-task-updated = Изменена задача «{ $title }».
agenda-task-done = Готово: «{ $title }».
agenda-task-done-again = Готово: «{ $title }». Следующий срок: { $date }.
agenda-task-update-undone = Задача «{ $title }» снова такая, как была.
agenda-task-changed-since = Задачу «{ $title }» за это время изменили ещё раз, поэтому она остаётся как есть.
agenda-task-deleted = Удалена задача «{ $title }».
agenda-task-delete-undone = Задача «{ $title }» восстановлена.
agenda-project-created = Создан проект «{ $name }».
agenda-project-updated = Изменён проект «{ $name }».
agenda-project-update-undone = Проект «{ $name }» снова такой, как был.
agenda-project-changed-since = Проект «{ $name }» за это время изменили ещё раз, поэтому он остаётся как есть.
agenda-project-create-undone = Убран проект «{ $name }».
agenda-goal-created = Поставлена цель «{ $title }».
agenda-goal-create-undone = Убрана цель «{ $title }».
agenda-goal-updated = Изменена цель «{ $title }»: { $progress } %.
agenda-goal-update-undone = Цель «{ $title }» снова такая, как была.
agenda-goal-changed-since = Цель «{ $title }» за это время изменили ещё раз, поэтому она остаётся как есть.
agenda-note-created = Записана заметка «{ $title }».
agenda-note-create-undone = Убрана заметка «{ $title }».
agenda-block-created = Добавлено в расписание: { $span } { $title }.
agenda-block-create-undone = Убрано из расписания: { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] { $count } открытая задача
        [few] { $count } открытые задачи
        [many] { $count } открытых задач
       *[other] { $count } открытой задачи
    }
agenda-tasks-today =
    { $count ->
        [one] { $count } задача на сегодня
        [few] { $count } задачи на сегодня
        [many] { $count } задач на сегодня
       *[other] { $count } задачи на сегодня
    }
agenda-tasks-schedule = Расписание
agenda-timeline-button = Картинкой
agenda-timeline-empty = На этот день больше ничего не запланировано.
agenda-tasks-all-empty = Открытых задач нет. Напишите «мне нужно …», и я добавлю задачу.
agenda-tasks-today-empty = На сегодня ничего нет. Все ваши задачи: /tasks.
agenda-task-due = срок { $date }
agenda-task-overdue = просрочено ({ $date })
agenda-task-high = важно
agenda-task-urgent = срочно
agenda-task-in-progress = в работе
agenda-task-blocked = заблокировано
agenda-task-tomorrow = Завтра { $number }
agenda-task-unchanged = Этой задачи в вашем списке больше нет.
agenda-notes-heading =
    { $count ->
        [one] { $count } заметка
        [few] { $count } заметки
        [many] { $count } заметок
       *[other] { $count } заметки
    }
agenda-notes-empty = Заметок нет. Напишите «запиши, что …», и я создам заметку.
agenda-notes-folder-empty = Папка «{ $folder }» пуста. Попросите меня записать в неё заметку.
agenda-notes-all = Все заметки
agenda-notes-back = Назад
agenda-note-delete = Удалить
agenda-note-deleted = Удалена заметка «{ $title }».
agenda-note-gone = Этой заметки больше нет.

# The pages of users.
agenda-page-today = Сегодня
agenda-page-tasks = Задачи
agenda-page-notes = Заметки
agenda-block-earlier = Раньше
agenda-block-later = Позже
agenda-block-move = Перенести
agenda-block-moved = «{ $title }» теперь: { $span }.
agenda-block-overlaps = Это время занято: { $blocks }. Выберите свободное.
tool-update_note = Изменить заметку
agenda-note-updated = Заметка «{ $title }» изменена.
agenda-note-update-undone = Заметка «{ $title }» снова такая, как была.
agenda-note-changed-since = Заметку «{ $title }» тем временем изменили снова, поэтому она остаётся как есть.
agenda-note-delete-undone = Заметка «{ $title }» снова на месте.

command-tasks = Ваші завдання
command-today = Справи на сьогодні
command-notes = Ваші нотатки
agenda-help = • Веду ваші завдання, нотатки й розклад: напишіть, що потрібно зробити. Справи на сьогодні покаже /today.

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = Ваші завдання
tool-get_task_details = Завдання докладно
tool-create_task = Додавання завдання
tool-update_task = Зміна завдання
tool-delete_task = Видалення завдання
tool-get_projects = Ваші проєкти
tool-create_project = Додавання проєкту
tool-update_project = Зміна проєкту
tool-get_goals = Ваші цілі
tool-create_goal = Додавання цілі
tool-update_goal = Зміна цілі
tool-get_daily_schedule = Ваш розклад
tool-create_schedule_block = Запис у розклад
tool-get_recent_notes = Ваші нотатки
tool-create_note = Нова нотатка
doing-get_tasks = Переглядаю ваші завдання…
doing-get_task_details = Дивлюся завдання…
doing-create_task = Додаю завдання…
doing-update_task = Змінюю завдання…
doing-delete_task = Видаляю завдання…
doing-get_projects = Переглядаю ваші проєкти…
doing-create_project = Додаю проєкт…
doing-update_project = Змінюю проєкт…
doing-get_goals = Переглядаю ваші цілі…
doing-create_goal = Додаю ціль…
doing-update_goal = Змінюю ціль…
doing-get_daily_schedule = Дивлюся ваш розклад…
doing-create_schedule_block = Додаю до розкладу…
doing-get_recent_notes = Переглядаю ваші нотатки…
doing-create_note = Пишу нотатку…

# Arguments of the tools, and values of arguments.
argument-title = Назва
argument-description = Опис
argument-project_id = Проєкт
argument-priority = Пріоритет
argument-due_date = Термін
argument-estimated_minutes = Тривалість у хвилинах
argument-task_type = Вид завдання
argument-parent_id = Частина завдання
argument-recurrence = Повторення
argument-task_id = Завдання
argument-status = Стан
argument-is_archived = В архіві
argument-reason = Причина
argument-name = Назва
argument-importance = Важливість
argument-action_plan = План
argument-goal_id = Ціль
argument-timeframe = Період
argument-target_date = Дата цілі
argument-progress = Виконано, %
argument-date = День
argument-start_time = Початок
argument-duration_minutes = Хвилини
argument-block_type = Вид блоку
argument-content = Текст
argument-folder_id = Тека
value-low = низький
value-medium = середній
value-high = високий
value-urgent = терміново
value-today = сьогодні
value-next-actions = наступні дії
value-someday-maybe = колись
value-wait-for = чекаю на інших
value-routine = регулярне
value-daily = щодня
value-weekly = щотижня
value-monthly = щомісяця
value-quarterly = щокварталу
value-yearly = щороку
value-work = робота
value-break = перерва
value-meeting = зустріч
value-personal = особисте
value-todo = відкрито
value-in-progress = у роботі
value-blocked = заблоковано
value-done = готово

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = Додано завдання «{ $title }».
agenda-task-create-undone = Прибрано завдання «{ $title }».
agenda-task-updated = Змінено завдання «{ $title }».
agenda-task-done = Готово: «{ $title }».
agenda-task-done-again = Готово: «{ $title }». Наступний термін: { $date }.
agenda-task-update-undone = Завдання «{ $title }» знову таке, як було.
agenda-task-changed-since = Завдання «{ $title }» тим часом змінили ще раз, тому воно залишається як є.
agenda-task-deleted = Видалено завдання «{ $title }».
agenda-task-delete-undone = Завдання «{ $title }» відновлено.
agenda-project-created = Створено проєкт «{ $name }».
agenda-project-updated = Змінено проєкт «{ $name }».
agenda-project-update-undone = Проєкт «{ $name }» знову такий, як був.
agenda-project-changed-since = Проєкт «{ $name }» тим часом змінили ще раз, тому він залишається як є.
agenda-project-create-undone = Прибрано проєкт «{ $name }».
agenda-goal-created = Поставлено ціль «{ $title }».
agenda-goal-create-undone = Прибрано ціль «{ $title }».
agenda-goal-updated = Змінено ціль «{ $title }»: { $progress } %.
agenda-goal-update-undone = Ціль «{ $title }» знову така, як була.
agenda-goal-changed-since = Ціль «{ $title }» тим часом змінили ще раз, тому вона залишається як є.
agenda-note-created = Записано нотатку «{ $title }».
agenda-note-create-undone = Прибрано нотатку «{ $title }».
agenda-block-created = Додано до розкладу: { $span } { $title }.
agenda-block-create-undone = Прибрано з розкладу: { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] { $count } відкрите завдання
        [few] { $count } відкриті завдання
        [many] { $count } відкритих завдань
       *[other] { $count } відкритого завдання
    }
agenda-tasks-today =
    { $count ->
        [one] { $count } завдання на сьогодні
        [few] { $count } завдання на сьогодні
        [many] { $count } завдань на сьогодні
       *[other] { $count } завдання на сьогодні
    }
agenda-tasks-schedule = Розклад
agenda-timeline-button = Картинкою
agenda-timeline-empty = На цей день більше нічого не заплановано.
agenda-tasks-all-empty = Відкритих завдань немає. Напишіть «мені треба …», і я додам завдання.
agenda-tasks-today-empty = На сьогодні нічого немає. Усі ваші завдання: /tasks.
agenda-task-due = термін { $date }
agenda-task-overdue = прострочено ({ $date })
agenda-task-high = важливо
agenda-task-urgent = терміново
agenda-task-in-progress = у роботі
agenda-task-blocked = заблоковано
agenda-task-tomorrow = Завтра { $number }
agenda-task-unchanged = Цього завдання у вашому списку більше немає.
agenda-notes-heading =
    { $count ->
        [one] { $count } нотатка
        [few] { $count } нотатки
        [many] { $count } нотаток
       *[other] { $count } нотатки
    }
agenda-notes-empty = Нотаток немає. Напишіть «запиши, що …», і я створю нотатку.
agenda-notes-folder-empty = Папка «{ $folder }» порожня. Попросіть мене записати в неї нотатку.
agenda-notes-all = Усі нотатки
agenda-notes-back = Назад
agenda-note-delete = Видалити
agenda-note-deleted = Видалено нотатку «{ $title }».
agenda-note-gone = Цієї нотатки більше немає.

# The pages of users.
agenda-page-today = Сьогодні
agenda-page-tasks = Завдання
agenda-page-notes = Нотатки
agenda-block-earlier = Раніше
agenda-block-later = Пізніше
agenda-block-move = Перенести
agenda-block-moved = «{ $title }» тепер: { $span }.
agenda-block-overlaps = Цей час зайнятий: { $blocks }. Виберіть вільний.
tool-update_note = Змінити нотатку
agenda-note-updated = Нотатку «{ $title }» змінено.
agenda-note-update-undone = Нотатка «{ $title }» знову така, як була.
agenda-note-changed-since = Нотатку «{ $title }» тим часом змінили знову, тому вона лишається як є.
agenda-note-delete-undone = Нотатка «{ $title }» знову на місці.

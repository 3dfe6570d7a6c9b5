command-tasks = Your tasks
command-today = What is due today
command-notes = Your notes
agenda-help = • Keep your tasks, notes and schedule: tell me what you have to do. /today shows what is due.

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = Your tasks
tool-get_task_details = A task in detail
tool-create_task = Add a task
tool-update_task = Change a task
tool-delete_task = Delete a task
tool-get_projects = Your projects
tool-create_project = Add a project
tool-update_project = Change a project
tool-get_goals = Your goals
tool-create_goal = Add a goal
tool-update_goal = Change a goal
tool-get_daily_schedule = Your schedule
tool-create_schedule_block = Add to your schedule
tool-get_recent_notes = Your notes
tool-create_note = Write a note
doing-get_tasks = Looking through your tasks…
doing-get_task_details = Looking at a task…
doing-create_task = Adding a task…
doing-update_task = Changing a task…
doing-delete_task = Deleting a task…
doing-get_projects = Looking through your projects…
doing-create_project = Adding a project…
doing-update_project = Changing a project…
doing-get_goals = Looking through your goals…
doing-create_goal = Adding a goal…
doing-update_goal = Changing a goal…
doing-get_daily_schedule = Looking at your schedule…
doing-create_schedule_block = Adding to your schedule…
doing-get_recent_notes = Looking through your notes…
doing-create_note = Writing a note…

# Arguments of the tools, and values of arguments.
argument-title = Title
argument-description = Description
argument-project_id = Project
argument-priority = Priority
argument-due_date = Due
argument-estimated_minutes = Minutes it takes
argument-task_type = Kind of task
argument-parent_id = Part of the task
argument-recurrence = Repeats
argument-task_id = Task
argument-status = Status
argument-is_archived = Archived
argument-reason = Reason
argument-name = Name
argument-importance = Importance
argument-action_plan = Plan
argument-goal_id = Goal
argument-timeframe = Timeframe
argument-target_date = Target date
argument-progress = Progress in percent
argument-date = Day
argument-start_time = Begins at
argument-duration_minutes = Minutes
argument-block_type = Kind of block
argument-content = Text
argument-folder_id = Folder
value-low = low
value-medium = medium
value-high = high
value-urgent = urgent
value-today = today
value-next-actions = next
value-someday-maybe = someday
value-wait-for = waiting for others
value-routine = routine
value-daily = daily
value-weekly = weekly
value-monthly = monthly
value-quarterly = quarterly
value-yearly = yearly
value-work = work
value-break = break
value-meeting = meeting
value-personal = personal
value-todo = open
value-in-progress = in progress
value-blocked = blocked
value-done = done

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = Added the task “{ $title }”.
agenda-task-create-undone = Removed the task “{ $title }”.
agenda-task-updated = Changed the task “{ $title }”.
agenda-task-done = Done: “{ $title }”.
agenda-task-done-again = Done: “{ $title }”. It is due again { $date }.
agenda-task-update-undone = The task “{ $title }” is as it was before.
agenda-task-changed-since = The task “{ $title }” was changed again in the meantime, so it stays as it is.
agenda-task-deleted = Deleted the task “{ $title }”.
agenda-task-delete-undone = The task “{ $title }” is back.
agenda-project-created = Started the project “{ $name }”.
agenda-project-updated = Changed the project “{ $name }”.
agenda-project-update-undone = The project “{ $name }” is as it was before.
agenda-project-changed-since = The project “{ $name }” was changed again in the meantime, so it stays as it is.
agenda-project-create-undone = Removed the project “{ $name }”.
agenda-goal-created = Set the goal “{ $title }”.
agenda-goal-create-undone = Removed the goal “{ $title }”.
agenda-goal-updated = Changed the goal “{ $title }”: { $progress } %.
agenda-goal-update-undone = The goal “{ $title }” is as it was before.
agenda-goal-changed-since = The goal “{ $title }” was changed again in the meantime, so it stays as it is.
agenda-note-created = Wrote the note “{ $title }”.
agenda-note-create-undone = Removed the note “{ $title }”.
agenda-block-created = Added to your schedule: { $span } { $title }.
agenda-block-create-undone = Removed from your schedule: { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] 1 open task
       *[other] { $count } open tasks
    }
agenda-tasks-today =
    { $count ->
        [one] 1 task for today
       *[other] { $count } tasks for today
    }
agenda-tasks-schedule = Schedule
agenda-timeline-button = As a picture
agenda-timeline-empty = Nothing is scheduled on this day any more.
agenda-tasks-all-empty = You have no open tasks. Write “I have to …”, and I will add one.
agenda-tasks-today-empty = Nothing is due today. /tasks shows all your tasks.
agenda-task-due = due { $date }
agenda-task-overdue = overdue since { $date }
agenda-task-high = important
agenda-task-urgent = urgent
agenda-task-in-progress = in progress
agenda-task-blocked = blocked
agenda-task-tomorrow = Tomorrow { $number }
agenda-task-unchanged = This task is no longer on your list.
agenda-notes-heading =
    { $count ->
        [one] 1 note
       *[other] { $count } notes
    }
agenda-notes-empty = You have no notes. Write “note that …”, and I will write one.
agenda-notes-folder-empty = The folder “{ $folder }” is empty. Ask me to write a note into it.
agenda-notes-all = All notes
agenda-notes-back = Back
agenda-note-delete = Delete
agenda-note-deleted = Deleted the note “{ $title }”.
agenda-note-gone = This note no longer exists.

# The pages of users.
agenda-page-today = Today
agenda-page-tasks = Tasks
agenda-page-notes = Notes
agenda-block-earlier = Earlier
agenda-block-later = Later
agenda-block-move = Move
agenda-block-moved = “{ $title }” is now { $span }.
agenda-block-overlaps = This time is taken: { $blocks }. Choose one that is free.
tool-update_note = Change a note
agenda-note-updated = Changed the note “{ $title }”.
agenda-note-update-undone = The note “{ $title }” is as it was before.
agenda-note-changed-since = The note “{ $title }” was changed again in the meantime, so it stays as it is.
agenda-note-delete-undone = The note “{ $title }” is back.

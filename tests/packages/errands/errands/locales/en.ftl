command-errands = Your errands
tool-run_errand = run an errand
errands-begun = It is under way.
errands-none = You have no errands.

command-errands = Deine Besorgungen
tool-run_errand = etwas besorgen
errands-begun = Es ist unterwegs.
errands-none = Du hast keine Besorgungen.

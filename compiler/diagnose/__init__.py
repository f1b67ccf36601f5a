"""Why a model cannot be solved: FlatModel -> diagnostics in the user's names. Called only when a stage has failed."""

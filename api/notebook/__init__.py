"""Shows models, sweeps and animations in notebooks, and runs cells of model text. Loaded only there."""

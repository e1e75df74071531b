"""Statistics: functions of arrays with small frozen results. Imports NumPy and SciPy only."""

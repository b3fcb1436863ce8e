"""How runs are computed: arithmetic in fixed blocks, random numbers, traces, threads, plans."""

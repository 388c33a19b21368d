"""Data sets that papers released, each as its authors published it."""

"""The proof: four published studies, re-created with stressfield. They are found as anyone's are, by entry point."""

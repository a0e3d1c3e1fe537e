//! What compiled flows run on.

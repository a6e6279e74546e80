//! Hopscope core.

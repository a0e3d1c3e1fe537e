//! Runs [`watershed_fuzz::otlp`] under libFuzzer.

#![no_main]

watershed_fuzz::program!(otlp);

//! Runs [`watershed_fuzz::topology`] under libFuzzer.

#![no_main]

watershed_fuzz::program!(topology);

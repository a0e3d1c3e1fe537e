//! Runs [`watershed_fuzz::program`] under libFuzzer.

#![no_main]

watershed_fuzz::program!(program);

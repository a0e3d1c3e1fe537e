//! Runs [`watershed_fuzz::parse`] under libFuzzer.

#![no_main]

watershed_fuzz::program!(parse);

//! Runs [`watershed_fuzz::subject`] under libFuzzer.

#![no_main]

watershed_fuzz::program!(subject);

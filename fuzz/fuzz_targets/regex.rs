//! Runs [`watershed_fuzz::regex`] under libFuzzer.

#![no_main]

watershed_fuzz::program!(regex);

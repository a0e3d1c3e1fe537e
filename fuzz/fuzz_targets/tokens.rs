//! Runs [`watershed_fuzz::tokens`] under libFuzzer.

#![no_main]

watershed_fuzz::program!(tokens);

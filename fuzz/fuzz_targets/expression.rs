//! Runs [`watershed_fuzz::expression`] under libFuzzer.

#![no_main]

watershed_fuzz::program!(expression);

//! Runs [`watershed_fuzz::values`] under libFuzzer.

#![no_main]

watershed_fuzz::program!(values);

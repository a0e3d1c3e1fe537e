//! Runs [`watershed_fuzz::format`] under libFuzzer.

#![no_main]

watershed_fuzz::program!(format);

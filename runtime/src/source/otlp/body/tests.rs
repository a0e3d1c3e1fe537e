//! What unpacking a body holds, byte for byte, and what is refused for good because it could never be held.

use prometheus_client::metrics::gauge::Gauge;

use super::*;
use crate::source::admission::{Admission, Pressure};

/// The header of a zstd frame with a window of 8 MiB and no size.
const WIDE: [u8; 6] = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68];
const WINDOW: u64 = 8 << 20;
const LIMITS: BodyLimits = BodyLimits {
    bytes: 64 << 20,
    time: Duration::from_secs(1),
};

/// A block of bytes as they are: zstd, RFC 8878, section 3.1.1.2.
fn raw_block(content: &[u8], is_last: bool) -> Vec<u8> {
    let header = u32::try_from(content.len()).unwrap() << 3 | u32::from(is_last);
    [&header.to_le_bytes()[..3], content].concat()
}

/// A frame with a window of 8 MiB.
fn wide_frame(content: &[u8]) -> Vec<u8> {
    let mut frame = WIDE.to_vec();
    for block in content.chunks(100_000) {
        frame.extend(raw_block(block, false));
    }
    frame.extend(raw_block(b"", true));
    frame
}

struct Bound {
    admission: Admission,
    held: Gauge,
}

impl Bound {
    fn new(capacity: u64) -> Self {
        let held = Gauge::default();
        let admission = Admission::new(capacity, held.clone(), Pressure::default());
        Self { admission, held }
    }

    fn held(&self) -> u64 {
        u64::try_from(self.held.get()).unwrap()
    }

    /// Unpacks `packed` while nothing else is held.
    async fn unpack(&self, packed: &[u8]) -> Result<usize, Refusal> {
        let mut charge = self.admission.charge(None);
        let limits = BodyLimits {
            bytes: LIMITS.bytes.min(self.admission.capacity() - 1),
            ..LIMITS
        };
        let mut inflate = Inflate::new(Packing::Zstd, packed.len(), limits);
        inflate.push(packed, &mut charge).await?;
        let body = inflate.finish(&mut charge).await?;
        // Only the buffer is left, and it is charged whole.
        assert!(self.held() >= body.len() as u64);
        assert!(self.held() <= 2 * body.len() as u64 + LARGEST_FIRST_BUFFER as u64);
        Ok(body.len())
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_held_for_a_sender_who_has_sent_nothing() {
    let bound = Bound::new(256 << 20);
    let mut charge = bound.admission.charge(None);
    let mut inflate = Inflate::new(Packing::Zstd, 1_000, LIMITS);
    assert!(inflate.decoder.is_none());
    inflate.push(&[], &mut charge).await.unwrap();
    assert_eq!(bound.held(), 0);
    assert!(inflate.decoder.is_none());
    let body = inflate.finish(&mut charge).await.unwrap();
    assert!(body.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_decoder_is_charged_before_it_is_made() {
    let made = Decoder::new(Packing::Zstd).unwrap().unwrap();
    assert!(made.held() > 0);
    assert!(
        made.held() <= Decoder::cost(Packing::Zstd),
        "{}",
        made.held()
    );
    let bound = Bound::new(256 << 20);
    let mut others = bound.admission.charge(None);
    others.grow((256 << 20) - 100).await.unwrap();
    let mut charge = bound.admission.charge(None);
    let mut inflate = Inflate::new(Packing::Zstd, 1, LIMITS);
    let refused = inflate.push(&WIDE[..1], &mut charge).await;
    assert!(matches!(refused, Err(Refusal::Overloaded)), "{refused:?}");
    assert!(inflate.decoder.is_none());
}

#[tokio::test(start_paused = true)]
async fn the_window_is_charged_from_its_header_to_the_end() {
    let bound = Bound::new(256 << 20);
    let mut charge = bound.admission.charge(None);
    let mut inflate = Inflate::new(Packing::Zstd, 1_000, LIMITS);
    inflate.push(&WIDE[..3], &mut charge).await.unwrap();
    assert!(bound.held() < WINDOW / 4, "{}", bound.held());
    inflate.push(&WIDE[3..], &mut charge).await.unwrap();
    inflate
        .push(&raw_block(b"abc", false), &mut charge)
        .await
        .unwrap();
    assert!(bound.held() >= WINDOW, "{}", bound.held());
    inflate
        .push(&raw_block(b"def", true), &mut charge)
        .await
        .unwrap();
    assert!(bound.held() >= WINDOW, "{}", bound.held());
    let body = inflate.finish(&mut charge).await.unwrap();
    assert_eq!(&body[..], b"abcdef");
    assert!(bound.held() < WINDOW / 4, "{}", bound.held());
    drop(charge);
    assert_eq!(bound.held(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_fits_beside_its_window_is_taken_and_what_never_can_is_refused_for_good() {
    let bound = Bound::new(WINDOW + (3 << 20));
    // The buffer would double past the bound, and what is left is enough.
    let fits = wide_frame(&vec![7; 2_300_000]);
    assert_eq!(bound.unpack(&fits).await.unwrap(), 2_300_000);
    let larger = wide_frame(&vec![7; 3_000_000]);
    let refused = bound.unpack(&larger).await;
    let Err(Refusal::TooLarge { limit }) = refused else {
        panic!("{refused:?}");
    };
    assert!((2_300_000..3_000_000).contains(&limit), "{limit}");
    // While something else is held, it is worth to come back.
    let mut others = bound.admission.charge(None);
    others.grow(1 << 20).await.unwrap();
    let refused = bound.unpack(&fits).await;
    assert!(matches!(refused, Err(Refusal::Overloaded)), "{refused:?}");
    drop(others);
    let small = Bound::new(WINDOW);
    let refused = small.unpack(&wide_frame(b"abc")).await;
    assert!(
        matches!(refused, Err(Refusal::TooLarge { .. })),
        "{refused:?}"
    );
}

//! Detours: arrows that would run behind a box are led around it.
//!
//! In: the bends of an arrow, straight between rank and rank, and what stands in the picture. Out: the same with a bend
//! more where a tall neighbour is in the way: the arrow first leaves its rank and only then turns aside.

use super::Area;

/// How far a bend keeps from a box.
const DISTANCE: f64 = 9.0;

/// Which way arrows run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// From the top to the bottom.
    Down,
    /// From the left to the right.
    Across,
}

/// The bends of an arrow from one box to another, led around `others`.
pub(super) fn around(
    points: &[(f64, f64)],
    from: &Area,
    to: &Area,
    others: &[Area],
    way: Way,
) -> Vec<(f64, f64)> {
    let turned: Vec<_> = points.iter().map(|point| way.turn(*point)).collect();
    let others: Vec<_> = others.iter().map(|area| way.turn_area(area)).collect();
    let (from, to) = (way.turn_area(from), way.turn_area(to));
    let mut bends = turned.clone();
    if let [first, second, ..] = turned.as_slice()
        && let Some(obstacle) = obstacle(*first, *second, &others)
    {
        let middle = from.left + from.width / 2.0;
        let bend = (middle, obstacle.bottom() + DISTANCE);
        if bend.1 < second.1 && is_free(bend, *second, &others) {
            bends.splice(0..1, [(middle, from.bottom()), bend]);
        }
    }
    if let [.., before, last] = turned.as_slice()
        && let Some(obstacle) = obstacle(*before, *last, &others)
    {
        let middle = to.left + to.width / 2.0;
        let bend = (middle, obstacle.top - DISTANCE);
        if bend.1 > before.1 && is_free(*before, bend, &others) {
            bends.pop();
            bends.extend([bend, (middle, to.top)]);
        }
    }
    bends.into_iter().map(|point| way.turn(point)).collect()
}

/// The first box that lies on the way between two points.
fn obstacle(from: (f64, f64), to: (f64, f64), others: &[Area]) -> Option<&Area> {
    others.iter().find(|area| crosses(from, to, area))
}

fn is_free(from: (f64, f64), to: (f64, f64), others: &[Area]) -> bool {
    obstacle(from, to, others).is_none()
}

/// Whether the straight line between two points runs through the inside of a box: the part of it within both pairs of
/// its sides is not empty.
fn crosses((ax, ay): (f64, f64), (bx, by): (f64, f64), area: &Area) -> bool {
    let sides = [
        (ax, bx - ax, area.left, area.right()),
        (ay, by - ay, area.top, area.bottom()),
    ];
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for (start, length, low, high) in sides {
        if length == 0.0 {
            if start <= low || start >= high {
                return false;
            }
            continue;
        }
        let (one, other) = ((low - start) / length, (high - start) / length);
        enters = enters.max(one.min(other));
        leaves = leaves.min(one.max(other));
    }
    enters < leaves
}

impl Way {
    /// A point as if arrows ran down. Turning twice gives it back.
    const fn turn(self, (x, y): (f64, f64)) -> (f64, f64) {
        match self {
            Self::Down => (x, y),
            Self::Across => (y, x),
        }
    }

    const fn turn_area(self, area: &Area) -> Area {
        match self {
            Self::Down => *area,
            Self::Across => Area {
                left: area.top,
                top: area.left,
                width: area.height,
                height: area.width,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn area(left: f64, top: f64, width: f64, height: f64) -> Area {
        Area {
            left,
            top,
            width,
            height,
        }
    }

    #[test]
    fn an_arrow_leaves_its_rank_before_it_turns_aside() {
        let (from, to) = (area(0.0, 0.0, 20.0, 10.0), area(200.0, 100.0, 20.0, 10.0));
        let tall = area(40.0, 0.0, 20.0, 40.0);
        let straight = [(20.0, 8.0), (210.0, 100.0)];
        let bent = around(&straight, &from, &to, &[tall], Way::Down);
        assert_eq!(bent, [(10.0, 10.0), (10.0, 49.0), (210.0, 100.0)]);
        assert!(
            bent.windows(2)
                .all(|pair| !crosses(pair[0], pair[1], &tall))
        );
        assert_eq!(around(&straight, &from, &to, &[], Way::Down), straight);
    }

    #[test]
    fn both_ways_are_led_alike() {
        let swap = |area: Area| Way::Across.turn_area(&area);
        let (from, to) = (area(0.0, 0.0, 20.0, 10.0), area(200.0, 100.0, 20.0, 10.0));
        let tall = area(160.0, 80.0, 20.0, 60.0);
        let down = around(
            &[(20.0, 8.0), (200.0, 102.0)],
            &from,
            &to,
            &[tall],
            Way::Down,
        );
        let across = around(
            &[(8.0, 20.0), (102.0, 200.0)],
            &swap(from),
            &swap(to),
            &[swap(tall)],
            Way::Across,
        );
        let swapped: Vec<_> = across.into_iter().map(|(x, y)| (y, x)).collect();
        assert_eq!(down, swapped);
        assert_eq!(down.len(), 3);
    }
}

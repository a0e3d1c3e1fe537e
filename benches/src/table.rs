//! The arms of the generated routes as tables: where the two sides that are not generated look a text up.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

/// Outputs that arms lead to in turn; the one behind them gets what no arm wants.
const SINKS: usize = 10;

/// Outputs of every route.
pub const OUTPUTS: usize = SINKS + 1;

/// `flows/route_100.flow`
pub static ROUTE_100: LazyLock<Table> = LazyLock::new(|| Table::new(100, "/orders/"));
/// `flows/route_1000.flow`
pub static ROUTE_1000: LazyLock<Table> = LazyLock::new(|| Table::new(1_000, "/orders/"));
/// `flows/service_route_100.flow`
pub static SERVICE_ROUTE_100: LazyLock<Table> = LazyLock::new(|| Table::new(100, "service-"));

/// The output of each text that an arm compares with.
#[derive(Debug)]
pub struct Table {
    outputs: HashMap<Vec<u8>, usize, FixedState>,
}

impl Table {
    /// The arms in the order of the build script: the highest number first, sinks in turn.
    fn new(arms: usize, prefix: &str) -> Self {
        let arms = (0..arms).rev().enumerate();
        Self {
            outputs: arms
                .map(|(arm, number)| (format!("{prefix}{number}").into_bytes(), arm % SINKS))
                .collect(),
        }
    }

    /// The output of `text`.
    pub fn output(&self, text: Option<&[u8]>) -> usize {
        let found = text.and_then(|text| self.outputs.get(text));
        found.copied().unwrap_or(SINKS)
    }
}

//! Time to draw one chart of each kind. A site with 1,000 reports has 3,000 charts.

#[allow(dead_code)]
#[path = "../tests/charts/examples.rs"]
mod examples;

use divan::{Bencher, black_box};
use generator::chart::{Lines, RowPanel};

#[divan::bench]
fn bars_of_4_groups_of_3(bencher: Bencher<'_, '_>) {
    let chart = examples::bars("plain title", examples::TRANSFER);
    bencher.bench(|| RowPanel::render(black_box(&chart), "title", "description"));
}

#[divan::bench]
fn lines_3_of_14_points(bencher: Bencher<'_, '_>) {
    let charts = [examples::threads("plain title")];
    bencher.bench(|| Lines::render(black_box(&charts), "title", "description"));
}

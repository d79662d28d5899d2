//! Names at the right ends of lines, moved apart where they would cover each other.

use super::class::Class;
use super::{Area, Result, point, px_of, text};
use plotters::element::PathElement;
use plotters::style::text_anchor::HPos;

/// From the end of a line to the marker before its name, and on to the name; px.
pub(super) const LEAD: f64 = 16.0;
pub(super) const GAP: f64 = 9.0;

/// Where the name of a line is.
pub(super) struct Name {
    /// The end of its line, backend pixels.
    end: (i32, i32),
    /// Its own height, px.
    pub(super) y: f64,
}

/// A place between `low` and `high` (px) for the name of each line that has an end.
pub(super) fn place(
    ends: impl Iterator<Item = Option<(i32, i32)>>,
    low: f64,
    high: f64,
) -> Vec<Option<Name>> {
    let ends: Vec<_> = ends.collect();
    let wanted: Vec<f64> = ends.iter().flatten().map(|end| px_of(*end).1).collect();
    let sizes = vec![text::LINE; wanted.len()];
    let mut heights = apart(&wanted, &sizes, low, high).into_iter();
    let mut name = |end| {
        Some(Name {
            end,
            y: heights.next()?,
        })
    };
    ends.into_iter()
        .map(|end| end.and_then(&mut name))
        .collect()
}

/// Thin lines from the ends to the markers before the names at `x`.
pub(super) fn draw_leads(area: &Area<'_>, x: f64, names: &[Option<Name>]) -> Result<()> {
    for name in names.iter().flatten() {
        let lead = [name.end, point((x, name.y))];
        area.draw(&PathElement::new(lead, Class::GRID.shape()))?;
    }
    Ok(())
}

/// The names themselves, behind their markers at `x`.
pub(super) fn draw<'a>(
    area: &Area<'_>,
    x: f64,
    names: impl Iterator<Item = (&'a str, &'a Option<Name>)>,
) -> Result<()> {
    let style = text::style(Class::TEXT, HPos::Left);
    for (label, name) in names {
        if let Some(name) = name {
            area.draw_text(label, &style, point((x + GAP, name.y)))?;
        }
    }
    Ok(())
}

/// Positions as near as possible to `wanted` (in the sense of least squares) that keep the order
/// of `wanted`, and of which neighbours are at least the mean of their `sizes` apart, all of them
/// within `low..high`. Where they do not fit there, they run over the end.
fn apart(wanted: &[f64], sizes: &[f64], low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // Less the room of those before it, each label wants a place of its own, and the places
    // only have to be in order: isotonic regression, by pooling adjacent violators.
    let mut blocks: Vec<Block> = Vec::new();
    let mut offsets = vec![0.0; wanted.len()];
    let mut offset = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        if rank > 0 {
            offset += (sizes[order[rank - 1]] + sizes[index]) / 2.0;
        }
        offsets[index] = offset;
        let mut block = Block {
            sum: wanted[index] - offset,
            count: 1,
        };
        while let Some(before) = blocks.pop_if(|before| before.mean() > block.mean()) {
            block = Block {
                sum: before.sum + block.sum,
                count: before.count + block.count,
            };
        }
        blocks.push(block);
    }
    let first = order.first().map_or(0.0, |&i| sizes[i] / 2.0);
    let last = order.last().map_or(0.0, |&i| sizes[i] / 2.0);
    let (min, max) = (low + first, high - last - offset);
    let places = blocks
        .iter()
        .flat_map(|b| std::iter::repeat_n(b.mean().min(max).max(min), b.count));
    let mut result = vec![0.0; wanted.len()];
    for (&index, place) in order.iter().zip(places) {
        result[index] = place + offsets[index];
    }
    result
}

struct Block {
    sum: f64,
    count: usize,
}

impl Block {
    fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }
}

#[cfg(test)]
mod tests {
    use super::apart;
    use proptest::prelude::*;

    #[test]
    fn labels_with_room_stay() {
        assert_eq!(
            apart(&[50.0, 10.0], &[20.0, 20.0], 0.0, 100.0),
            [50.0, 10.0]
        );
    }

    #[test]
    fn equal_ones_share_the_move() {
        assert_eq!(
            apart(&[50.0, 50.0, 50.0], &[10.0; 3], 0.0, 100.0),
            [40.0, 50.0, 60.0]
        );
        assert_eq!(apart(&[0.0, 0.0], &[10.0; 2], 0.0, 100.0), [5.0, 15.0]);
    }

    proptest! {
        #[test]
        fn none_cover_each_other(labels in prop::collection::vec((-50.0..150.0f64, 1.0..9.0f64), 1..10)) {
            let (wanted, sizes): (Vec<f64>, Vec<f64>) = labels.into_iter().unzip();
            let places = apart(&wanted, &sizes, 0.0, 100.0);
            for a in 0..places.len() {
                prop_assert!(places[a] - sizes[a] / 2.0 > -1e-9 && places[a] + sizes[a] / 2.0 < 100.0 + 1e-9);
                for b in 0..a {
                    prop_assert!((places[a] - places[b]).abs() + 1e-9 >= (sizes[a] + sizes[b]) / 2.0);
                }
            }
        }
    }
}

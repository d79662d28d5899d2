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
    let mut heights = apart(&wanted, text::LINE, low, high).into_iter();
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
/// of `wanted`, neighbours at least `spacing` apart, all of them half of that within `low..high`.
/// Where they do not fit there, they run over the end.
fn apart(wanted: &[f64], spacing: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let offset = |rank: usize| rank as f64 * spacing;
    // Less the room of those before it, each name wants a place of its own, and the places only
    // have to be in order: isotonic regression, by pooling adjacent violators.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    let mean = |&(sum, count): &(f64, usize)| sum / count as f64;
    for (rank, &index) in order.iter().enumerate() {
        let mut pool = (wanted[index] - offset(rank), 1);
        while let Some(before) = pools.pop_if(|before| mean(before) > mean(&pool)) {
            pool = (before.0 + pool.0, before.1 + pool.1);
        }
        pools.push(pool);
    }
    let min = low + spacing / 2.0;
    let max = high - spacing / 2.0 - offset(order.len().saturating_sub(1));
    let places = pools
        .iter()
        .flat_map(|pool| std::iter::repeat_n(mean(pool).min(max).max(min), pool.1));
    let mut result = vec![0.0; wanted.len()];
    for (rank, (&index, place)) in order.iter().zip(places).enumerate() {
        result[index] = place + offset(rank);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::apart;
    use proptest::prelude::*;

    #[test]
    fn names_with_room_stay() {
        assert_eq!(apart(&[50.0, 10.0], 20.0, 0.0, 100.0), [50.0, 10.0]);
    }

    #[test]
    fn equal_ones_share_the_move() {
        let equal = apart(&[50.0, 50.0, 50.0], 10.0, 0.0, 100.0);
        assert_eq!(equal, [40.0, 50.0, 60.0]);
        assert_eq!(apart(&[0.0, 0.0], 10.0, 0.0, 100.0), [5.0, 15.0]);
    }

    proptest! {
        #[test]
        fn none_cover_each_other(wanted in prop::collection::vec(-50.0..150.0f64, 1..10), spacing in 1.0..10.0f64) {
            let places = apart(&wanted, spacing, 0.0, 100.0);
            for a in 0..places.len() {
                prop_assert!(places[a] - spacing / 2.0 > -1e-9 && places[a] + spacing / 2.0 < 100.0 + 1e-9);
                for b in 0..a {
                    prop_assert!((places[a] - places[b]).abs() + 1e-9 >= spacing);
                }
            }
        }
    }
}

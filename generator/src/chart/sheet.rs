//! The style sheet of a chart, and the patterns it refers to, which plotters does not support.

use super::class::Class;
use super::text::NARROW_SIZE;
use crate::look::Look;
use std::collections::BTreeSet;

/// False for a rule of a single class that no element has. Unused rules are dropped, since a page
/// has many charts.
fn is_used(rule: &str, classes: &BTreeSet<&str>) -> bool {
    let class = rule.strip_prefix('.').and_then(|r| r.split_once('{'));
    class.is_none_or(|(class, _)| {
        let has = |value: &&str| value.split(' ').any(|one| one == class);
        class.contains(',') || classes.iter().any(has)
    })
}

pub(super) fn sheet(width: u32, looks: &[Look], body: &str) -> String {
    let values = body.split("class=\"").skip(1);
    let classes: BTreeSet<&str> = values.filter_map(|rest| rest.split('"').next()).collect();
    let rules = include_str!("style.css").split_inclusive('\n');
    let mut css: String = rules.filter(|rule| is_used(rule, &classes)).collect();
    // Larger text where a chart is shown at less than four fifths of its width.
    css += &format!(
        "@media (max-width:{}px){{svg{{font-size:{NARROW_SIZE}px}}}}\n",
        width * 4 / 5
    );
    let mut patterns = String::new();
    for (series, look) in looks.iter().enumerate() {
        css += &format!(".s{series}{{color:{}}}", look.color);
        let tile = look
            .pattern
            .tile(&format!("p{series}"), Class::MARKER.of(series));
        let filled = classes.contains(&*Class::FILL.of(series).to_string());
        if let Some(tile) = tile.filter(|_| filled) {
            css += &format!(".s{series}.f{{fill:url(#p{series})}}");
            patterns += &tile;
        }
    }
    format!("<style>{css}</style>\n{patterns}")
}

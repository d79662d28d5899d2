//! Where the figures of a report come from: the table of builds.

use crate::report::{Grid, GridCell, GridRow, Head, Link, Look, Report};

/// Returns the table of what was measured, one row per build.
pub(in crate::site) fn versions(report: &Report) -> Grid {
    let declarations = &report.manifest.declarations;
    let mut rows = Vec::new();
    for build in &report.builds {
        let one = &build.implementation;
        let declared = declarations.iter().find(|d| d.implementation == *one);
        let cell = |text: Option<&str>, url: Option<&str>| match (text, url) {
            (None | Some(""), _) => GridCell::missing(),
            (Some(text), None) => GridCell::text(text),
            (Some(text), Some(url)) => GridCell::text(text).linked(Link::Address(url.to_owned())),
        };
        let url = declared.and_then(|d| d.url.as_deref());
        let version = match (one.version.as_str(), url) {
            ("", Some(_)) => "source",
            (version, _) => version,
        };
        let tool = declared.and_then(|d| d.tool.as_deref());
        let cells = vec![
            cell(Some(version), url),
            cell(Some(&one.variant.join(", ")), None),
            cell(declared.and_then(|d| d.with.as_deref()), None),
            cell(declared.and_then(|d| d.build.as_deref()), None),
            cell(tool, declared.and_then(|d| d.tool_url.as_deref())),
        ];
        rows.push(GridRow::new(&one.name, cells));
    }
    let heads = ["version", "variant", "used with", "built", "measured by"];
    let mut table = Grid {
        class: "versions",
        name: "What was measured".to_owned(),
        corner: "implementation",
        head: heads.map(Head::text).to_vec(),
        rows,
        ..Grid::default()
    };
    // Remove empty columns.
    for column in (1..table.head.len()).rev() {
        let is_unknown = |row: &GridRow| row.cells[column].look == Look::Missing;
        if table.rows.iter().all(is_unknown) {
            table.head.remove(column);
            for row in &mut table.rows {
                row.cells.remove(column);
            }
        }
    }
    table
}

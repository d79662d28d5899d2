//! Where the figures of a report come from: the table of builds.

use crate::report::{Grid, GridCell, GridRow, Head, Link, Look, Report};

/// Returns the table of what was measured, one row per build.
pub(in crate::site) fn versions(report: &Report) -> Grid {
    let declarations = &report.manifest.declarations;
    let mut rows = Vec::new();
    for build in &report.builds {
        let one = &build.implementation;
        let declared = declarations.iter().find(|d| d.implementation == *one);
        let text = |text: Option<&str>| {
            let text = text.filter(|text| !text.is_empty());
            text.map_or_else(GridCell::missing, GridCell::text)
        };
        let link = |cell: GridCell, url: Option<&str>| GridCell {
            link: url.map(|url| Link::Address(url.to_owned())),
            ..cell
        };
        let url = declared.and_then(|d| d.url.as_deref());
        let version = match (one.version.as_str(), url) {
            ("", Some(_)) => "source",
            (version, _) => version,
        };
        let tool = declared.and_then(|d| d.tool.as_deref());
        let tool_url = declared.and_then(|d| d.tool_url.as_deref());
        let cells = vec![
            link(text(Some(version)), url),
            text(Some(&one.variant.join(", "))),
            text(declared.and_then(|d| d.with.as_deref())),
            text(declared.and_then(|d| d.build.as_deref())),
            link(text(tool), tool_url.filter(|_| tool.is_some())),
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

//! Where the figures of a report come from: the tables of implementations and of files.

use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use crate::files::inputs::Inputs;
use crate::model::scale::group_thousands;
use crate::report::Report;

/// Placeholder for what `report.toml` does not say.
const UNKNOWN: &str = "–";

/// Returns the table of what was measured, one row per implementation.
pub(in crate::site) fn versions(report: &Report) -> HtmlTable {
    let declared = &report.manifest.declarations;
    let rows = report.data.implementations.iter().map(|one| {
        let declared = declared.iter().find(|d| d.implementation == *one);
        let text = |text: Option<&str>| HtmlCell::text(text.unwrap_or(UNKNOWN));
        let link = |cell: HtmlCell, url: Option<&str>| HtmlCell {
            href: url.map(ToOwned::to_owned),
            ..cell
        };
        let url = declared.and_then(|d| d.url.as_deref());
        let version = match (one.version.as_str(), url) {
            ("", Some(_)) => "source",
            ("", None) => UNKNOWN,
            (version, _) => version,
        };
        let variant = one.variant.join(", ");
        let tool = declared.and_then(|d| d.tool.as_deref());
        let tool_url = declared.and_then(|d| d.tool_url.as_deref());
        let cells = vec![
            link(HtmlCell::text(version), url),
            text(Some(variant.as_str()).filter(|v| !v.is_empty())),
            text(declared.and_then(|d| d.with.as_deref())),
            text(declared.and_then(|d| d.build.as_deref())),
            link(text(tool), tool_url.filter(|_| tool.is_some())),
        ];
        HtmlRow::new(&one.name, cells)
    });
    let mut table = HtmlTable {
        class: "versions",
        name: "What was measured".to_owned(),
        corner: "implementation",
        head: Head::of(["version", "variant", "used with", "built", "measured by"]),
        rows: rows.collect(),
        ..HtmlTable::default()
    };
    // Remove empty columns.
    for column in (1..table.head.len()).rev() {
        let is_unknown = |row: &HtmlRow| row.cells[column].text == UNKNOWN;
        if table.rows.iter().all(is_unknown) {
            table.head.remove(column);
            for row in &mut table.rows {
                row.cells.remove(column);
            }
        }
    }
    table
}

/// Returns the table of files with their digests.
pub(in crate::site) fn inputs(inputs: &Inputs) -> HtmlTable {
    let rows = inputs.files.iter().map(|file| {
        let size = HtmlCell::text(group_thousands(&file.size.to_string()));
        let digest = HtmlCell {
            class: Some("digest"),
            ..HtmlCell::text(&file.digest)
        };
        HtmlRow::new(&file.name, vec![size, digest])
    });
    HtmlTable {
        class: "files",
        name: "Files that this page is made from".to_owned(),
        corner: "file",
        head: Head::of(["bytes", "SHA-256"]),
        rows: rows.collect(),
        ..HtmlTable::default()
    }
}

//! Rows of the generator's tidy CSV (`generator/src/parse/tidy.rs`).

use std::io::{self, Write};

pub(crate) const HEADING: &str = "run,implementation,version,variant,scenario,unit,value,caveat";

/// One figure, or why there is none.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) scenario: String,
    pub(crate) unit: &'static str,
    /// A positive number, or the reason why the scenario is unsupported.
    pub(crate) value: Result<f64, String>,
    /// What a reader must know of the figure; may be empty.
    pub(crate) caveat: String,
}

/// What all rows of this process have in common.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) run: u32,
    pub(crate) name: &'static str,
    pub(crate) version: String,
    pub(crate) variant: String,
}

impl Sheet {
    pub(crate) fn print(&self, out: &mut impl Write, row: &Row) -> io::Result<()> {
        let (value, caveat) = match &row.value {
            Ok(number) => (number.to_string(), &row.caveat),
            Err(reason) => ("unsupported".to_owned(), reason),
        };
        let cells = [
            self.run.to_string(),
            cell(self.name),
            cell(&self.version),
            cell(&self.variant),
            cell(&row.scenario),
            cell(row.unit),
            value,
            cell(caveat),
        ];
        writeln!(out, "{}", cells.join(","))?;
        // A figure that cost a minute must not be lost in a buffer.
        out.flush()
    }
}

/// Quoted where RFC 4180 wants it; one line, and no formula for a spreadsheet.
fn cell(text: &str) -> String {
    let line = text.replace(char::is_control, " ");
    let guard = if line.starts_with(['=', '+', '-', '@']) {
        "'"
    } else {
        ""
    };
    if line.contains([',', '"']) {
        format!("\"{guard}{}\"", line.replace('"', "\"\""))
    } else {
        format!("{guard}{line}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_quoted_where_needed() {
        let sheet = Sheet {
            run: 2,
            name: "rustls",
            version: "0.23.43".into(),
            variant: "ring".into(),
        };
        let mut row = Row {
            scenario: "memory, 1.3, 2 sessions".into(),
            unit: "KiB",
            value: Ok(1024.5),
            caveat: String::new(),
        };
        let mut out = Vec::new();
        sheet.print(&mut out, &row).expect("memory");
        row.value = Err("has no \"x\"\nat all".into());
        sheet.print(&mut out, &row).expect("memory");
        assert_eq!(
            String::from_utf8(out).expect("text"),
            "2,rustls,0.23.43,ring,\"memory, 1.3, 2 sessions\",KiB,1024.5,\n\
             2,rustls,0.23.43,ring,\"memory, 1.3, 2 sessions\",KiB,unsupported,\"has no \"\"x\"\" at all\"\n"
        );
    }
}

//! liboqs `speed_kem` and `speed_sig`: a table with a row for each algorithm, then for its
//! operations.
//!
//! ```text
//! liboqs version:   0.12.0
//! Operation    | Iterations | Total time (s) | Time (us): mean | pop. stdev | …
//! ------------ | ----------:| --------------:| ---------------:| ----------:| …
//! ML-KEM-768   |            |                |                 |            | …
//! keygen       |     300000 |          3.000 |          10.000 |      0.512 | …
//! ```

use super::prelude::*;

#[derive(Default)]
pub(super) struct Liboqs {
    columns: usize,
    has_cycles: bool,
    algorithm: String,
    version: String,
}

impl Tool for Liboqs {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if let Some(version) = line.strip_prefix("liboqs version:") {
            self.version = version.trim().to_owned();
            out.heading();
            return Ok(());
        } else if line.starts_with("Started at ") || line.starts_with("Ended at ") {
            return Ok(());
        } else if !line.contains('|') {
            return Err(Foreign);
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if cells[0] == "Operation" && cells.get(1) == Some(&"Iterations") {
            let expected = ["Total time (s)", "Time (us): mean"];
            if !cells[2..].starts_with(&expected) {
                return wrong("expected the columns of liboqs, got", line);
            }
            self.columns = cells.len();
            self.has_cycles = cells.get(5) == Some(&"CPU cycles: mean");
            return Ok(());
        } else if self.columns == 0 {
            return Err(Foreign);
        } else if cells.len() != self.columns {
            return Err(Wrong(format!(
                "{} cells, but the heading has {}: {}",
                cells.len(),
                self.columns,
                quote(line)
            )));
        } else if cells[0].starts_with("---") {
        } else if cells[1..].iter().all(|cell| cell.is_empty()) {
            self.algorithm = cells[0].to_owned();
        } else {
            let [count, total, mean] = [number(cells[1])?, amount(cells[2])?, amount(cells[3])?];
            // Both times have three decimals.
            if (total - count * mean * 1e-6).abs() > 0.0006 + count * 0.6e-9 + total * 1e-3 {
                return wrong("the mean time is not that of the iterations:", line);
            }
            let base = match mean < 1.0 {
                true => total / count,
                false => mean * 1e-6,
            };
            out.of(Implementation::new("liboqs", &self.version, &[]));
            let name = format!("{} {}", self.algorithm, cells[0]);
            out.benchmark(name.trim(), Unit::Time, base)?;
            if self.has_cycles {
                let (unit, factor) = Unit::directed("cycles", Better::Lower);
                out.benchmark(name.trim(), unit, amount(cells[5])? * factor)?;
            }
        }
        Ok(())
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.columns = 0;
    }
}

//! The front matter of a report's page, as far as its card needs it.

use super::Figures;
use crate::day;
use serde::Deserialize;
use toml::value::Datetime;

/// A report's card.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// The page's.
    pub title: String,
    /// When and where: `7 March 2026 · Xeon E-2386G`.
    pub byline: String,
    /// The key finding; shown where there is room for all of it.
    pub finding: String,
    /// The bars.
    pub figures: Figures,
}

#[derive(Deserialize)]
struct Front {
    title: String,
    #[serde(default)]
    description: String,
    date: Option<Datetime>,
    extra: Extra,
}

#[derive(Deserialize)]
struct Extra {
    machine: Option<String>,
    card: Option<Figures>,
}

impl Card {
    /// The card of a page, from the text of its file. `None` for a page without figures for
    /// one, and for front matter that Zola will say what is wrong with.
    pub fn of_page(text: &str) -> Option<Self> {
        let (front, _) = text.strip_prefix("+++\n")?.split_once("\n+++\n")?;
        let front: Front = toml::from_str(front).ok()?;
        let day = front.date.and_then(day::from_toml);
        let day = day.map(|d| d.strftime("%-d %B %Y").to_string());
        let byline: Vec<String> = day.into_iter().chain(front.extra.machine).collect();
        Some(Self {
            title: front.title,
            byline: byline.join(" · "),
            finding: front.description,
            figures: front.extra.card?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_tells_its_card() {
        let page = "+++\ntitle = \"A <b>\"\ndate = 2026-03-07\n[extra]\nmachine = \"M\"\n[extra.card]\nalt = \"\"\nnames = [\"a\"]\nimplementations = [\"b\"]\n[[extra.card.graphs]]\ntitle = \"t\"\ndetail = \"\"\nunit = \"ns\"\nfigures = [\"1\"]\n+++\ntext";
        let card = Card::of_page(page).expect("a card");
        assert_eq!(
            (card.title.as_str(), card.byline.as_str()),
            ("A <b>", "7 March 2026 · M")
        );
        assert_eq!(card.figures.graphs[0].figures, ["1"]);
        for other in [
            "",
            "---\ntitle: yaml\n---\n",
            "+++\ntitle = \"no card\"\n[extra]\n+++\n",
            "+++\ntitle = \"no extra\"\n+++\n",
            "+++\nnot TOML\n+++\n",
            "+++\ntitle = \"never ends\"\n",
        ] {
            assert_eq!(Card::of_page(other), None, "{other}");
        }
    }
}

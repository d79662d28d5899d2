//! Names of machines.

/// Returns the name of a machine, the same in all its reports: `AMD EPYC 9B14, 2 vCPU`.
pub fn name(cpu: &str, processors: u32, virtualisation: Option<&str>) -> String {
    let cpu = cpu.replace("(R)", "").replace("(TM)", "");
    let is_said = |word: &&str| {
        let is_count = word.ends_with("-Core") || word.ends_with("GHz");
        !is_count && !["CPU", "Processor", "@"].contains(word)
    };
    let words: Vec<&str> = cpu.split_whitespace().filter(is_said).collect();
    let noun = match (processors, virtualisation) {
        (1, None | Some("container")) => "processor",
        (_, None | Some("container")) => "processors",
        _ => "vCPU",
    };
    format!("{}, {processors} {noun}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_model_and_processors() {
        for (cpu, processors, virtualisation, expected) in [
            ("AMD EPYC 9B14", 2, Some("kvm"), "AMD EPYC 9B14, 2 vCPU"),
            (
                "AMD EPYC 7763 64-Core Processor",
                4,
                Some("microsoft"),
                "AMD EPYC 7763, 4 vCPU",
            ),
            (
                "Intel(R) Xeon(R) E-2386G CPU @ 3.50GHz",
                12,
                Some("container"),
                "Intel Xeon E-2386G, 12 processors",
            ),
        ] {
            assert_eq!(name(cpu, processors, virtualisation), expected);
        }
    }
}

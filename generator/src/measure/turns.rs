//! Programs take turns: short slices of all programs of a scenario, in blocks, so that what disturbs
//! the machine meets all of them alike.

use super::estimate::relative_error;
use super::process::Stop;
use crate::base::failure::Result;
use crate::base::random::Random;
use crate::model::distribution::Distribution;
use std::time::Duration;

/// What a program took for some operations, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slice {
    /// Of each side; the second is 0 where there is one side.
    pub(crate) sides: [u64; 2],
    pub(crate) wall: u64,
    /// From the command to the answer, with what is not timed.
    pub(crate) elapsed: u64,
    pub(crate) cpu: u64,
    /// Times of single operations of each side, where the scenario is about them.
    pub(crate) singles: [Vec<u64>; 2],
}

/// CPU time below this share of the elapsed time means that something else had the processor. Context
/// switches do not: most of them are to the program before, which has yet to wait for its next slice.
const CLEAN_SHARE: f64 = 0.97;

impl Slice {
    /// Whether nothing else had the processor meanwhile.
    fn is_clean(&self) -> bool {
        self.cpu as f64 >= CLEAN_SHARE * self.wall as f64
    }
}

/// A program that is ready to measure a scenario.
pub(crate) trait Contestant {
    /// Moves it to a processor.
    fn move_to(&mut self, processor: usize) -> Result<(), Stop>;

    fn slice(&mut self, operations: u64) -> Result<Slice, Stop>;
}

/// How long the programs of a scenario measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Of a slice.
    pub(crate) slice: Duration,
    /// Of all slices of a program, with what they do before the timed part, in the mean of all
    /// scenarios.
    pub(crate) total: Duration,
    /// Consecutive blocks of a scenario before the next scenario's, and on the same processor: the first
    /// of them refill the caches.
    pub(crate) group: usize,
    /// The rate is level when it has not risen for so long.
    pub(crate) level: Duration,
    /// Of the warm-up of a program, at most.
    pub(crate) warm_up: Duration,
}

/// An interval of the median over blocks needs some.
const MIN_BLOCKS: usize = 5;

/// Share of the time that each scenario has. The rest is for those whose programs scatter most.
const SHARE: f64 = 0.75;

/// A slice that is faster by less than this factor is no sign of a rising rate.
const LEVEL: f64 = 0.99;

/// Calibration tries at most so many times the operations of the try before: the first ones are slow.
const MAX_GROWTH: u64 = 16;

/// A program that does more operations in a slice measures none.
const MAX_OPERATIONS: u64 = 1 << 32;

/// Time of a slice, for each operation and side, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    pub(crate) sides: [f64; 2],
    pub(crate) is_clean: bool,
}

/// One slice of each program; `None` for a program that was lost.
pub(crate) type Block = Vec<Option<Timing>>;

/// The programs of a scenario, and their slices so far.
#[derive(Debug)]
pub(crate) struct Contest<C> {
    pub(crate) entrants: Vec<Entrant<C>>,
    pub(crate) blocks: Vec<Block>,
    /// What the blocks took.
    spent: Duration,
    limits: Limits,
    /// The processors to use, in turn; none to let the kernel choose.
    processors: Vec<usize>,
}

/// A program in a contest.
#[derive(Debug)]
pub(crate) struct Entrant<C> {
    /// Why it was lost, after a failure.
    pub(crate) contestant: Result<C, Stop>,
    /// Operations in a slice.
    operations: u64,
    /// The single times of each side.
    pub(crate) singles: [Distribution; 2],
}

impl<C: Contestant> Entrant<C> {
    /// Runs a step of a contestant that is not lost; `None` if it is now.
    fn run<T>(&mut self, step: impl FnOnce(&mut C) -> Result<T, Stop>) -> Result<Option<T>> {
        let Ok(contestant) = &mut self.contestant else {
            return Ok(None);
        };
        match step(contestant) {
            Ok(result) => Ok(Some(result)),
            Err(Stop::Fatal(failure)) => Err(failure),
            Err(stop) => {
                self.contestant = Err(stop);
                Ok(None)
            }
        }
    }

    /// Returns the timing, and the elapsed time.
    fn slice(&mut self) -> Result<Option<(Timing, Duration)>> {
        let operations = self.operations;
        let Some(slice) = self.run(|contestant| contestant.slice(operations))? else {
            return Ok(None);
        };
        for (all, times) in self.singles.iter_mut().zip(&slice.singles) {
            times.iter().for_each(|time| all.record(*time));
        }
        let timing = Timing {
            sides: slice.sides.map(|time| time as f64 / operations as f64),
            is_clean: slice.is_clean(),
        };
        Ok(Some((timing, Duration::from_nanos(slice.elapsed))))
    }
}

/// Measures until the rate is level. Returns the operations of a slice.
fn warm_up(contestant: &mut impl Contestant, limits: &Limits) -> Result<u64, Stop> {
    let target = limits.slice.as_nanos() as f64;
    let mut operations = calibrate(contestant, target)?;
    let mut best = f64::INFINITY;
    let (mut level, mut spent) = (Duration::ZERO, Duration::ZERO);
    while level < limits.level && spent < limits.warm_up {
        let slice = contestant.slice(operations)?;
        let elapsed = Duration::from_nanos(slice.elapsed);
        let time = slice.wall as f64 / operations as f64;
        level = match time < best * LEVEL {
            true => Duration::ZERO,
            false => level + elapsed,
        };
        best = best.min(time);
        spent += elapsed;
        operations = ((target / best) as u64).clamp(1, MAX_OPERATIONS);
    }
    Ok(operations)
}

/// Returns about how many operations take `target` nanoseconds.
fn calibrate(contestant: &mut impl Contestant, target: f64) -> Result<u64, Stop> {
    let mut operations = 1;
    while operations < MAX_OPERATIONS {
        let wall = contestant.slice(operations)?.wall.max(1) as f64;
        let wanted = (operations as f64 * target / wall) as u64;
        if wall * 4.0 >= target {
            return Ok(wanted.max(1));
        }
        operations = wanted.clamp(operations * 2, operations * MAX_GROWTH);
    }
    Err("its operations take no time".to_owned().into())
}

impl<C: Contestant> Contest<C> {
    pub(crate) fn new(
        contestants: impl IntoIterator<Item = Result<C, Stop>>,
        limits: Limits,
        processors: &[usize],
    ) -> Self {
        let entrant = |contestant| Entrant {
            contestant,
            operations: 1,
            singles: Default::default(),
        };
        Self {
            entrants: contestants.into_iter().map(entrant).collect(),
            blocks: Vec::new(),
            spent: Duration::ZERO,
            limits,
            processors: processors.to_owned(),
        }
    }

    /// Calibrates and warms up all programs, in random order.
    fn warm_up(&mut self, random: &mut Random) -> Result<()> {
        self.move_all(0)?;
        for index in random.order(self.entrants.len()) {
            let entrant = &mut self.entrants[index];
            if let Some(operations) = entrant.run(|c| warm_up(c, &self.limits))? {
                entrant.operations = operations;
            }
        }
        Ok(())
    }

    fn move_all(&mut self, turn: usize) -> Result<()> {
        let Some(turn) = turn.checked_rem(self.processors.len()) else {
            return Ok(());
        };
        for entrant in &mut self.entrants {
            entrant.run(|contestant| contestant.move_to(self.processors[turn]))?;
        }
        Ok(())
    }

    /// The time for all programs that are not lost.
    fn time(&self) -> Duration {
        let left = self.entrants.iter().filter(|e| e.contestant.is_ok());
        self.limits.total * left.count() as u32
    }

    fn has_its_share(&self) -> bool {
        let time = self.time();
        time.is_zero() || self.blocks.len() >= MIN_BLOCKS && self.spent >= time.mul_f64(SHARE)
    }

    /// Measures the next blocks on the next processor.
    fn blocks(&mut self, random: &mut Random) -> Result<()> {
        self.move_all(self.blocks.len() / self.limits.group)?;
        for _ in 0..self.limits.group {
            let mut block = vec![None; self.entrants.len()];
            for index in random.order(self.entrants.len()) {
                if let Some((timing, elapsed)) = self.entrants[index].slice()? {
                    block[index] = Some(timing);
                    self.spent += elapsed;
                }
            }
            self.blocks.push(block);
        }
        Ok(())
    }
}

/// Measures some scenarios. Their blocks alternate, so that those of each are spread over more time;
/// then those with the largest standard error have more.
/// Fails if everything must end; a program that fails is lost for its scenario.
pub(crate) fn take_turns<C: Contestant>(
    contests: &mut [Contest<C>],
    random: &mut Random,
) -> Result<()> {
    for contest in &mut *contests {
        contest.warm_up(random)?;
    }
    while !contests.iter().all(Contest::has_its_share) {
        for index in random.order(contests.len()) {
            if !contests[index].has_its_share() {
                contests[index].blocks(random)?;
            }
        }
    }
    let error = |contest: &Contest<C>| relative_error(&contest.blocks);
    let mut errors: Vec<f64> = contests.iter().map(error).collect();
    while let Some(worst) = worst(contests, &errors) {
        contests[worst].blocks(random)?;
        errors[worst] = error(&contests[worst]);
    }
    Ok(())
}

/// Returns the index of the scenario with the largest standard error, while there is time.
fn worst<C: Contestant>(contests: &[Contest<C>], errors: &[f64]) -> Option<usize> {
    let time: Duration = contests.iter().map(Contest::time).sum();
    let spent: Duration = contests.iter().map(|contest| contest.spent).sum();
    let is_open = |index: &usize| spent < time && !contests[*index].time().is_zero();
    let open = (0..contests.len()).filter(is_open);
    open.max_by(|a, b| errors[*a].total_cmp(&errors[*b]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::failure::Failure;
    use crate::measure::estimate::per_operation;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// The machine of the toys: its bursts slow whoever runs, and each call is logged.
    #[derive(Default)]
    struct Machine {
        now: u64,
        log: Vec<(usize, usize, u64)>,
    }

    /// A program that takes `time` nanoseconds for an operation, on a noisy machine.
    struct Toy {
        name: usize,
        time: f64,
        machine: Rc<RefCell<Machine>>,
        random: Random,
        processor: usize,
        /// Percent by which its times scatter.
        scatter: f64,
        /// Slices so far; the first ones are slow.
        slices: i32,
        fails_after: i32,
    }

    impl Contestant for Toy {
        fn move_to(&mut self, processor: usize) -> Result<(), Stop> {
            self.processor = processor;
            Ok(())
        }

        fn slice(&mut self, operations: u64) -> Result<Slice, Stop> {
            let mut machine = self.machine.borrow_mut();
            machine.log.push((self.name, self.processor, operations));
            if self.slices >= self.fails_after {
                return Err("it fell over".to_owned().into());
            }
            let cold = 1.0 + 0.5_f64.powi(self.slices);
            self.slices += 1;
            // Every other 50 ms a neighbour makes everything slower by a half.
            let burst = if (machine.now / 50_000_000).is_multiple_of(2) {
                1.0
            } else {
                1.5
            };
            let jitter = 1.0 + self.random.below(1000) as f64 / 1e5 * self.scatter;
            let time = self.time * operations as f64 * cold * burst * jitter;
            let is_preempted = self.random.below(3) == 0;
            let waited = if is_preempted { 4e6 } else { 0.0 };
            machine.now += (time + waited) as u64;
            let [first, wait] = [time * 0.25, waited].map(|time| time as u64);
            Ok(Slice {
                sides: [first, (time * 0.75) as u64 + wait],
                wall: time as u64 + wait,
                elapsed: time as u64 + wait,
                cpu: time as u64,
                singles: [vec![first / operations], Vec::new()],
            })
        }
    }

    const LIMITS: Limits = Limits {
        slice: Duration::from_millis(3),
        total: Duration::from_millis(600),
        group: 8,
        level: Duration::from_millis(12),
        warm_up: Duration::from_millis(100),
    };

    fn contest(times: &[f64], machine: &Rc<RefCell<Machine>>) -> Contest<Toy> {
        let toys = times.iter().zip(0..).map(|(time, name)| Toy {
            name,
            time: *time,
            machine: Rc::clone(machine),
            random: Random::new(name as u64),
            processor: 9,
            scatter: 1.0,
            slices: 0,
            fails_after: i32::MAX,
        });
        Contest::new(toys.map(Ok), LIMITS, &[4, 6])
    }

    #[test]
    fn figures_hold_on_a_noisy_machine() {
        let times = [1000.0, 1000.0, 1030.0, 5_000_000.0];
        let machine = Rc::default();
        let mut contests = [contest(&times, &machine), contest(&times, &machine)];
        take_turns(&mut contests, &mut Random::new(1)).expect("turns");
        for contest in contests {
            for (side, share) in [(0, 0.25), (1, 0.75)] {
                let found = per_operation(&contest.blocks, side);
                let found: Vec<f64> = found.into_iter().flatten().collect();
                let ratio = |a: usize| found[a] / found[0] / (times[a] / times[0]);
                for (program, ratio) in [1, 2, 3].map(ratio).into_iter().enumerate() {
                    assert!((ratio - 1.0).abs() < 0.003, "{program} of {side}: {ratio}");
                }
                // Jitter adds up to 1 %.
                let level = found[0] / (times[0] * share);
                assert!((1.0..1.01).contains(&level), "{level}");
            }
        }
    }

    #[test]
    fn a_block_is_on_one_processor_and_in_random_order() {
        let machine = Rc::default();
        let mut contests = [contest(&[1000.0, 2000.0, 3000.0], &machine)];
        take_turns(&mut contests, &mut Random::new(2)).expect("turns");
        let blocks = contests[0].blocks.len();
        // Three programs with 600 ms of slices of 3 ms, some of which took longer.
        assert!((100..=200).contains(&blocks), "{blocks}");
        let log = &machine.borrow().log;
        let measured = &log[log.len() - 3 * blocks..];
        let mut orders = [0; 9];
        for (number, block) in measured.chunks(3).enumerate() {
            let mut names = block.iter().map(|(name, ..)| *name).collect::<Vec<_>>();
            orders[names[0] * 3 + names[1]] += 1;
            names.sort_unstable();
            assert_eq!(names, [0, 1, 2]);
            let processor = [4, 6][number / 8 % 2];
            assert!(block.iter().all(|(_, on, _)| *on == processor));
            // A slice is about as long for all.
            for (name, _, operations) in block {
                let time = [1.0, 2.0, 3.0][*name] * *operations as f64 / 1e3;
                assert!((1.5..3.1).contains(&time), "{time} ms");
            }
        }
        let expected = [false, true, true, true, false, true, true, true, false];
        assert_eq!(orders.map(|times| times > 0), expected);
    }

    #[test]
    fn scenarios_that_scatter_have_the_time_that_is_left() {
        let machine = Rc::default();
        let mut contests = [1.0, 8.0, 1.0].map(|scatter| {
            let mut contest = contest(&[1000.0; 2], &machine);
            for entrant in &mut contest.entrants {
                entrant.contestant.as_mut().expect("a toy").scatter = scatter;
            }
            contest
        });
        take_turns(&mut contests, &mut Random::new(6)).expect("turns");
        let times = contests
            .each_ref()
            .map(|contest| contest.spent.as_secs_f64() / 1.2);
        assert!(
            matches!(times, [0.75..0.85, 1.4..1.5, 0.75..0.85]),
            "{times:?}"
        );
    }

    #[test]
    fn a_failure_loses_one_program() {
        let machine = Rc::default();
        let mut contests = [contest(&[1000.0; 3], &machine)];
        if let Ok(toy) = &mut contests[0].entrants[1].contestant {
            toy.fails_after = 40;
        }
        take_turns(&mut contests, &mut Random::new(3)).expect("turns");
        let Contest {
            entrants, blocks, ..
        } = &contests[0];
        let why = &entrants[1].contestant;
        assert!(matches!(why, Err(Stop::Failed(why)) if why == "it fell over"));
        let last = blocks.last().expect("a block");
        let measured: Vec<bool> = last.iter().map(Option::is_some).collect();
        assert_eq!(measured, [true, false, true]);
        // A time of each slice, besides those of the warm-up.
        assert_eq!(entrants[0].singles[0].count(), blocks.len() as u64);
    }

    #[test]
    fn without_programs_left_it_ends() {
        // In its own time, and in what is left of all.
        for fails_after in [60, 110, 130, 150] {
            let machine = Rc::default();
            let mut contests = [contest(&[1000.0], &machine), contest(&[1000.0], &machine)];
            for contest in &mut contests {
                let toy = contest.entrants[0].contestant.as_mut().expect("a toy");
                toy.fails_after = fails_after;
            }
            take_turns(&mut contests, &mut Random::new(7)).expect("turns");
            let lost = contests.iter().filter(|c| c.time().is_zero()).count();
            assert!(lost > 0 || fails_after > 60);
        }
    }

    struct Broken;

    impl Contestant for Broken {
        fn move_to(&mut self, _: usize) -> Result<(), Stop> {
            Ok(())
        }

        fn slice(&mut self, operations: u64) -> Result<Slice, Stop> {
            match operations {
                0..2048 => Ok(Slice::default()),
                _ => Err(Failure::Usage("enough".to_owned()).into()),
            }
        }
    }

    #[test]
    fn a_fatal_failure_ends_all() {
        let mut contests = [Contest::new([Ok(Broken)], LIMITS, &[])];
        let failure = take_turns(&mut contests, &mut Random::new(4)).expect_err("an end");
        assert_eq!(failure.to_string(), "enough");
    }

    #[test]
    fn without_programs_nothing_is_measured() {
        let none: [Result<Broken, Stop>; 0] = [];
        let mut contests = [Contest::new(none, LIMITS, &[0])];
        take_turns(&mut contests, &mut Random::new(5)).expect("turns");
        assert!(contests[0].blocks.is_empty());
    }
}

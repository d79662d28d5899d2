//! Programs take turns: short slices of all programs of a scenario, in blocks, so that what
//! disturbs the machine meets all of them alike.

use crate::base::failure::Result;
use crate::base::random::Random;
use crate::measure::process::Stop;
use crate::model::distribution::Distribution;
use std::time::Duration;

/// What a program took for some operations, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slice {
    /// Of each side; the second is 0 where there is one side.
    pub(crate) sides: [u64; 2],
    /// Of a thread, in the mean.
    pub(crate) wall: u64,
    /// From the command to the answer, with what is not timed.
    pub(crate) elapsed: u64,
    /// Of all threads.
    pub(crate) cpu: u64,
    /// A fixed piece of work between the operations, in the mean; 0 if the program has none.
    pub(crate) probe: u64,
    /// Times of single operations of each side, where the scenario is about them.
    pub(crate) singles: [Vec<u64>; 2],
}

/// A program that is ready to measure a scenario.
pub(crate) trait Contestant {
    /// Moves it to some processors.
    fn move_to(&mut self, processors: &[usize]) -> Result<(), Stop>;

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
    /// Of consecutive blocks of a scenario, on the same processors, before those of the next.
    pub(crate) group: Duration,
    /// The rate is level when it has not risen for so long.
    pub(crate) level: Duration,
    /// Of the warm-up of a program, at most.
    pub(crate) warm_up: Duration,
}

/// Percentiles of slices need some.
const MIN_BLOCKS: usize = 5;

/// A slice that is faster by less than this factor is no sign of a rising rate.
const LEVEL: f64 = 0.99;

/// Calibration tries at most so many times the operations of the try before: the first ones are
/// slow.
const MAX_GROWTH: u64 = 16;

/// A program that does more operations in a slice measures none.
const MAX_OPERATIONS: u64 = 1 << 32;

/// What counts of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// For each operation and side, in nanoseconds.
    pub(crate) sides: [f64; 2],
    /// CPU time as a share of the elapsed time.
    pub(crate) cpu: f64,
    /// See [`Slice::probe`].
    pub(crate) probe: f64,
}

/// The programs of a scenario, and their slices so far.
#[derive(Debug)]
pub(crate) struct Contest<C> {
    pub(crate) entrants: Vec<Entrant<C>>,
    /// Blocks so far, which have a slice of each program that is not lost; and groups of them.
    blocks: usize,
    groups: usize,
    /// What the slices took.
    spent: Duration,
    limits: Limits,
    /// Of each program.
    threads: usize,
    /// The processors to use, in turn.
    processors: Vec<usize>,
}

/// A program in a contest.
#[derive(Debug)]
pub(crate) struct Entrant<C> {
    /// Why it was lost, after a failure.
    pub(crate) contestant: Result<C, Stop>,
    /// Operations in a slice.
    operations: u64,
    /// In the order of time.
    pub(crate) slices: Vec<Timing>,
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

    /// Runs a slice on so many threads. Returns the elapsed time.
    fn slice(&mut self, threads: usize) -> Result<Duration> {
        let operations = self.operations;
        let Some(slice) = self.run(|contestant| contestant.slice(operations))? else {
            return Ok(Duration::ZERO);
        };
        for (all, times) in self.singles.iter_mut().zip(&slice.singles) {
            times.iter().for_each(|time| all.record(*time));
        }
        self.slices.push(Timing {
            sides: slice.sides.map(|time| time as f64 / operations as f64),
            cpu: slice.cpu as f64 / (slice.wall * threads as u64) as f64,
            probe: slice.probe as f64,
        });
        Ok(Duration::from_nanos(slice.elapsed))
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
        threads: usize,
        processors: &[usize],
    ) -> Self {
        let entrant = |contestant| Entrant {
            contestant,
            operations: 1,
            slices: Vec::new(),
            singles: Default::default(),
        };
        Self {
            entrants: contestants.into_iter().map(entrant).collect(),
            blocks: 0,
            groups: 0,
            spent: Duration::ZERO,
            limits,
            threads,
            processors: processors.to_owned(),
        }
    }

    /// Calibrates and warms up all programs, in random order.
    fn warm_up(&mut self, random: &mut Random) -> Result<()> {
        self.move_all()?;
        for index in random.order(self.entrants.len()) {
            let entrant = &mut self.entrants[index];
            if let Some(operations) = entrant.run(|c| warm_up(c, &self.limits))? {
                entrant.operations = operations;
            }
        }
        Ok(())
    }

    /// Moves all programs to the next processors, one for each thread.
    fn move_all(&mut self) -> Result<()> {
        let mut processors = self.processors.clone();
        if !processors.is_empty() {
            processors.rotate_left(self.groups % self.processors.len());
        }
        processors.truncate(self.threads);
        for entrant in &mut self.entrants {
            entrant.run(|contestant| contestant.move_to(&processors))?;
        }
        Ok(())
    }

    /// Whether there are programs that have time left.
    fn is_open(&self) -> bool {
        let left = self.entrants.iter().filter(|e| e.contestant.is_ok());
        let left = left.count() as u32;
        left > 0 && (self.blocks < MIN_BLOCKS || self.spent < self.limits.total * left)
    }

    /// Measures the blocks of a group.
    fn group(&mut self, random: &mut Random) -> Result<()> {
        self.move_all()?;
        self.groups += 1;
        let end = self.spent + self.limits.group;
        while self.is_open() && self.spent < end {
            for index in random.order(self.entrants.len()) {
                self.spent += self.entrants[index].slice(self.threads)?;
            }
            self.blocks += 1;
        }
        Ok(())
    }
}

/// Measures some scenarios. Their groups alternate, so that those of each are spread over more
/// time. Fails if everything must end; a program that fails is lost for its scenario.
pub(crate) fn take_turns<C: Contestant>(
    contests: &mut [Contest<C>],
    random: &mut Random,
) -> Result<()> {
    for contest in &mut *contests {
        contest.warm_up(random)?;
    }
    while contests.iter().any(Contest::is_open) {
        for index in random.order(contests.len()) {
            if contests[index].is_open() {
                contests[index].group(random)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::failure::Failure;
    use crate::measure::turns::estimate::estimate;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// The machine of the toys: its bursts slow whoever runs, and each call is logged.
    #[derive(Default)]
    struct Machine {
        now: u64,
        log: Vec<(usize, Vec<usize>, u64)>,
    }

    /// A program that takes `time` nanoseconds for an operation, on a noisy machine.
    struct Toy {
        name: usize,
        time: f64,
        machine: Rc<RefCell<Machine>>,
        random: Random,
        processors: Vec<usize>,
        /// Draws a factor of the time of a slice of so many operations.
        draw: fn(&mut Random, u64) -> f64,
        /// Slices so far; the first ones are slow.
        slices: i32,
        fails_after: i32,
    }

    impl Contestant for Toy {
        fn move_to(&mut self, processors: &[usize]) -> Result<(), Stop> {
            self.processors = processors.to_owned();
            Ok(())
        }

        fn slice(&mut self, operations: u64) -> Result<Slice, Stop> {
            let mut machine = self.machine.borrow_mut();
            machine
                .log
                .push((self.name, self.processors.clone(), operations));
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
            let factor = (self.draw)(&mut self.random, operations);
            let time = self.time * operations as f64 * cold * burst * factor;
            let is_preempted = self.random.below(3) == 0;
            let waited = if is_preempted { 4e6 } else { 0.0 };
            machine.now += (time + waited) as u64;
            let [first, wait] = [time * 0.25, waited].map(|time| time as u64);
            Ok(Slice {
                sides: [first, (time * 0.75) as u64 + wait],
                wall: time as u64 + wait,
                elapsed: time as u64 + wait,
                cpu: time as u64,
                probe: (2000.0 * burst) as u64,
                singles: [vec![first / operations], Vec::new()],
            })
        }
    }

    const LIMITS: Limits = Limits {
        slice: Duration::from_millis(3),
        total: Duration::from_millis(600),
        group: Duration::from_millis(25),
        level: Duration::from_millis(12),
        warm_up: Duration::from_millis(100),
    };

    /// Adds up to 1 %.
    fn jitter(random: &mut Random, _: u64) -> f64 {
        1.0 + random.below(1000) as f64 / 1e5
    }

    /// 2 % of noise, as the sum of three uniform draws, whose standard deviation is 0.5.
    fn noise(random: &mut Random, _: u64) -> f64 {
        let sum: usize = (0..3).map(|_| random.below(10_000)).sum();
        1.0 + 0.04 * (sum as f64 / 1e4 - 1.5)
    }

    /// Geometric costs: an operation tries until it succeeds, with a probability of 1 in 4.
    fn tries(random: &mut Random, operations: u64) -> f64 {
        let mut tries = 0;
        for _ in 0..operations {
            tries += 1;
            while random.below(4) > 0 {
                tries += 1;
            }
        }
        f64::from(tries) / 4.0 / operations as f64
    }

    /// The figure of the first program on its first side, by its share of the time.
    fn figure(contest: &Contest<Toy>) -> f64 {
        let first = &contest.entrants[0];
        let found = estimate(&first.slices).expect("slices").time(0);
        found / 0.25 / first.contestant.as_ref().expect("a toy").time
    }

    /// The mean figure of runs in which so many programs take turns.
    fn runs(count: usize, time: f64, seconds: u64, draw: fn(&mut Random, u64) -> f64) -> f64 {
        const RUNS: u64 = 8;
        let mut sum = 0.0;
        for seed in 0..RUNS {
            let machine = Rc::default();
            let mut contests = [contest(&vec![time; count], &machine)];
            contests[0].limits.total = Duration::from_secs(seconds);
            for (entrant, number) in contests[0].entrants.iter_mut().zip(0..) {
                let toy = entrant.contestant.as_mut().expect("a toy");
                (toy.draw, toy.random) = (draw, Random::new(seed << 32 | number));
            }
            take_turns(&mut contests, &mut Random::new(seed)).expect("turns");
            sum += figure(&contests[0]);
        }
        sum / RUNS as f64
    }

    #[test]
    fn a_figure_does_not_depend_on_the_number_of_programs() {
        let alone = runs(1, 1000.0, 2, noise);
        for others in [1, 11, 25] {
            let among = runs(1 + others, 1000.0, 2, noise);
            assert!(
                (among / alone - 1.0).abs() < 0.003,
                "{others}: {among} and {alone}"
            );
        }
        // The 25th percentile of 2 % noise is 1.3 % below the mean.
        assert!((0.98..1.0).contains(&alone), "{alone}");
    }

    #[test]
    fn where_costs_vary_the_figure_is_the_mean() {
        // 3 and 300 operations in a slice, alone and in company.
        for (time, count) in [(1e6, 1), (1e6, 4), (1e4, 1), (1e4, 4)] {
            let found = runs(count, time, 30, tries);
            assert!((found - 1.0).abs() < 0.01, "{count} of {time}: {found}");
        }
    }

    fn contest(times: &[f64], machine: &Rc<RefCell<Machine>>) -> Contest<Toy> {
        let toys = times.iter().zip(0..).map(|(time, name)| Toy {
            name,
            time: *time,
            machine: Rc::clone(machine),
            random: Random::new(name as u64),
            processors: Vec::new(),
            draw: jitter,
            slices: 0,
            fails_after: i32::MAX,
        });
        Contest::new(toys.map(Ok), LIMITS, 1, &[4, 6])
    }

    #[test]
    fn figures_hold_on_a_noisy_machine() {
        let times = [1000.0, 1000.0, 1030.0, 5_000_000.0];
        let machine = Rc::default();
        let mut contests = [contest(&times, &machine), contest(&times, &machine)];
        take_turns(&mut contests, &mut Random::new(1)).expect("turns");
        for contest in contests {
            for (side, share) in [(0, 0.25), (1, 0.75)] {
                for (entrant, time) in contest.entrants.iter().zip(times) {
                    let found = estimate(&entrant.slices).expect("slices").time(side);
                    // Jitter adds up to 1 %.
                    let level = found / (time * share);
                    assert!((1.0..1.008).contains(&level), "{side} of {time}: {level}");
                }
            }
        }
    }

    #[test]
    fn a_block_is_on_one_processor_and_in_random_order() {
        let machine = Rc::default();
        let mut contests = [contest(&[1000.0, 2000.0, 3000.0], &machine)];
        take_turns(&mut contests, &mut Random::new(2)).expect("turns");
        let blocks = contests[0].blocks;
        // Three programs with 600 ms of slices of 3 ms, some of which took longer.
        assert!((100..=200).contains(&blocks), "{blocks}");
        let log = &machine.borrow().log;
        let measured = &log[log.len() - 3 * blocks..];
        let mut orders = [0; 9];
        for block in measured.chunks(3) {
            let mut names = block.iter().map(|(name, ..)| *name).collect::<Vec<_>>();
            orders[names[0] * 3 + names[1]] += 1;
            names.sort_unstable();
            assert_eq!(names, [0, 1, 2]);
            let on = &block[0].1;
            assert!(*on == [4] || *on == [6]);
            assert!(block.iter().all(|(_, other, _)| other == on));
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
    fn a_program_has_a_processor_for_each_thread() {
        let machine: Rc<RefCell<Machine>> = Rc::default();
        let mut contests = [contest(&[1000.0; 2], &machine)];
        (contests[0].threads, contests[0].processors) = (2, vec![1, 3, 5]);
        take_turns(&mut contests, &mut Random::new(6)).expect("turns");
        let log = &machine.borrow().log;
        for expected in [[1, 3], [3, 5], [5, 1]] {
            assert!(log.iter().any(|(_, on, _)| *on == expected));
        }
        assert!(log.iter().all(|(_, on, _)| on.len() == 2));
        // On two processors, the CPU time of one is half of what it should be.
        let slices = &contests[0].entrants[0].slices;
        assert!(slices.iter().all(|slice| slice.cpu <= 0.5));
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
        let slices = entrants.iter().map(|entrant| entrant.slices.len());
        let is_all: Vec<bool> = slices.map(|slices| slices == *blocks).collect();
        assert_eq!(is_all, [true, false, true]);
        // A time of each slice, besides those of the warm-up.
        assert_eq!(entrants[0].singles[0].count(), *blocks as u64);
    }

    #[test]
    fn without_programs_left_it_ends() {
        let machine = Rc::default();
        let mut contests = [contest(&[1000.0], &machine), contest(&[1000.0], &machine)];
        for contest in &mut contests {
            let toy = contest.entrants[0].contestant.as_mut().expect("a toy");
            toy.fails_after = 60;
        }
        take_turns(&mut contests, &mut Random::new(7)).expect("turns");
        assert!(contests.iter().all(|c| c.entrants[0].contestant.is_err()));
    }

    struct Broken;

    impl Contestant for Broken {
        fn move_to(&mut self, _: &[usize]) -> Result<(), Stop> {
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
        let mut contests = [Contest::new([Ok(Broken)], LIMITS, 1, &[])];
        let failure = take_turns(&mut contests, &mut Random::new(4)).expect_err("an end");
        assert_eq!(failure.to_string(), "enough");
    }

    #[test]
    fn without_programs_nothing_is_measured() {
        let none: [Result<Broken, Stop>; 0] = [];
        let mut contests = [Contest::new(none, LIMITS, 1, &[0])];
        take_turns(&mut contests, &mut Random::new(5)).expect("turns");
        assert_eq!(contests[0].blocks, 0);
    }
}

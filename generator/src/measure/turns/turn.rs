//! Programs take turns, so that what disturbs the machine meets all of them alike. A turn is some
//! slices: operations that are timed together.

use crate::base::failure::Result;
use crate::base::random::Random;
use crate::measure::process::Stop;
use crate::model::distribution::Distribution;
use std::time::Duration;

/// What a program took for some operations, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slice {
    /// On each thread.
    pub(crate) operations: u64,
    /// Of each side; the second is 0 where there is one side.
    pub(crate) sides: [u64; 2],
    /// Elapsed time and CPU time of a thread, in the mean.
    pub(crate) wall: u64,
    pub(crate) cpu: u64,
    /// A fixed piece of work between the operations, in the mean; 0 if the program has none.
    pub(crate) probe: u64,
}

/// The slices of a turn, in the order of time.
pub(crate) type Turn = Vec<Slice>;

/// A program that measures a scenario.
pub(crate) trait Runner {
    /// Moves it to some processors.
    fn move_to(&mut self, processors: &[usize]) -> Result<(), Stop>;

    /// Times so many operations. Returns what they took, and the time until they were done, with
    /// what is not timed. Records the times of single operations of each side, where the scenario is
    /// about them.
    fn slice(
        &mut self,
        operations: u64,
        singles: &mut [Distribution; 2],
    ) -> Result<(Slice, Duration), Stop>;
}

/// Time of a slice: a disturbance of milliseconds spoils few of them.
const SLICE: Duration = Duration::from_millis(1);

/// A turn takes so long, and has a multiple of so many operations: what a library does in every
/// 32nd is as frequent in each turn.
const TURN: Duration = Duration::from_millis(25);
const OPERATIONS: u64 = 32;

/// It has twice as many at least, if each takes at most so long.
const FEW: Duration = Duration::from_micros(1500);

/// No turn is planned to take longer, whatever an operation takes.
const MAX_TURN: Duration = Duration::from_millis(150);

/// Turns of a program in a run, at least.
const MIN_TURNS: u32 = 3;

/// A program has warmed up when its rate has not risen for so long, or after so much time.
const STEADY: Duration = Duration::from_millis(20);
const MAX_WARM_UP: Duration = Duration::from_millis(100);

/// A slice that is faster by less than this factor is no sign of a rising rate.
const RISE: f64 = 0.99;

/// A slice of the warm-up has at most so many times the operations of the one before: the first ones
/// are slow.
const MAX_GROWTH: u64 = 16;

/// A program that does more operations in a slice measures none.
const MAX_OPERATIONS: u64 = 1 << 32;

/// The programs of a scenario, of which some are lost.
#[derive(Debug)]
pub(crate) struct Players<R> {
    pub(crate) players: Vec<Result<Player<R>, Stop>>,
    /// Of each program.
    threads: usize,
}

/// A program, with what it measured so far.
#[derive(Debug)]
pub(crate) struct Player<R> {
    pub(crate) runner: R,
    pub(crate) turns: Vec<Turn>,
    /// Times of single operations of each side.
    pub(crate) singles: [Distribution; 2],
    /// Operations of each slice of a turn.
    plan: Vec<u64>,
    /// What its turns took.
    spent: Duration,
}

impl<R: Runner> Player<R> {
    pub(crate) fn new(runner: R) -> Self {
        Self {
            runner,
            turns: Vec::new(),
            singles: Default::default(),
            plan: Vec::new(),
            spent: Duration::ZERO,
        }
    }

    /// Measures until the rate is steady, and plans the turns.
    fn warm_up(&mut self) -> Result<(), Stop> {
        let (mut operations, mut best) = (1, f64::INFINITY);
        let (mut steady, mut spent) = (Duration::ZERO, Duration::ZERO);
        while steady < STEADY && spent < MAX_WARM_UP {
            if operations == MAX_OPERATIONS {
                return Err("its operations take no time".to_owned().into());
            }
            // Single times are of turns only.
            let (slice, elapsed) = self.runner.slice(operations, &mut Default::default())?;
            let time = slice.wall as f64 / operations as f64;
            steady = match time < best * RISE {
                true => Duration::ZERO,
                false => steady + elapsed,
            };
            best = best.min(time);
            spent += elapsed;
            operations = fitting(SLICE, best).min(operations * MAX_GROWTH);
        }
        self.plan = plan(best);
        Ok(())
    }

    fn turn(&mut self) -> Result<(), Stop> {
        let mut turn = Turn::new();
        for operations in &self.plan {
            let (slice, elapsed) = self.runner.slice(*operations, &mut self.singles)?;
            self.spent += elapsed;
            turn.push(slice);
        }
        self.turns.push(turn);
        Ok(())
    }

    /// Whether it has a turn in a round, of so many that share `total`: its turns may be longer
    /// than those of others, but not all of them together.
    fn has_turn(&self, round: u32, rounds: u32, total: Duration) -> bool {
        let is_due = self.spent * rounds <= total * round;
        is_due || rounds - round + self.turns.len() as u32 <= MIN_TURNS
    }
}

/// Returns how many operations of so many nanoseconds fit, at least one.
fn fitting(total: Duration, each: f64) -> u64 {
    let count = total.as_nanos() as f64 / each;
    (count as u64).clamp(1, MAX_OPERATIONS)
}

/// Plans the slices of a turn, of operations that take so many nanoseconds.
fn plan(each: f64) -> Vec<u64> {
    let are_long = each > FEW.as_nanos() as f64;
    let few = OPERATIONS * if are_long { 1 } else { 2 };
    let wanted = fitting(TURN, each).max(few).next_multiple_of(OPERATIONS);
    let operations = wanted.min(fitting(MAX_TURN, each));
    let slices = operations.div_ceil(fitting(SLICE, each));
    let until = |slice| operations * slice / slices;
    (0..slices)
        .map(|slice| until(slice + 1) - until(slice))
        .collect()
}

impl<R: Runner> Players<R> {
    /// Fails if everything must end.
    pub(crate) fn new(
        runners: impl IntoIterator<Item = Result<R, Stop>>,
        threads: usize,
    ) -> Result<Self> {
        let mut players = Vec::new();
        for runner in runners {
            players.push(match runner {
                Err(Stop::Fatal(failure)) => return Err(failure),
                runner => runner.map(Player::new),
            });
        }
        Ok(Self { players, threads })
    }

    /// Lets each program that is not lost work, in random order, on the same processors: one for
    /// each thread, others in each round. Fails if everything must end.
    fn round(
        &mut self,
        round: u32,
        processors: &[usize],
        random: &mut Random,
        work: impl Fn(&mut Player<R>) -> Result<(), Stop>,
    ) -> Result<()> {
        let mut processors = processors.to_owned();
        if !processors.is_empty() {
            let first = round as usize % processors.len();
            processors.rotate_left(first);
        }
        processors.truncate(self.threads);
        for index in random.order(self.players.len()) {
            let Ok(player) = &mut self.players[index] else {
                continue;
            };
            let moved = player.runner.move_to(&processors);
            match moved.and_then(|()| work(player)) {
                Ok(()) => {}
                Err(Stop::Fatal(failure)) => return Err(failure),
                Err(stop) => self.players[index] = Err(stop),
            }
        }
        Ok(())
    }
}

/// Measures some scenarios, each program for about `total`. Their rounds alternate, so that those of
/// each are spread over more time. Fails if everything must end; a program that fails is lost for
/// its scenario.
pub(crate) fn take_turns<R: Runner>(
    scenarios: &mut [Players<R>],
    total: Duration,
    processors: &[usize],
    random: &mut Random,
) -> Result<()> {
    for players in &mut *scenarios {
        players.round(0, processors, random, Player::warm_up)?;
    }
    let rounds = total.div_duration_f64(TURN).ceil() as u32;
    let rounds = rounds.max(MIN_TURNS);
    for round in 0..rounds {
        for index in random.order(scenarios.len()) {
            let turn = |player: &mut Player<R>| match player.has_turn(round, rounds, total) {
                true => player.turn(),
                false => Ok(()),
            };
            scenarios[index].round(round, processors, random, turn)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::failure::Failure;
    use crate::measure::turns::rate::Rate;
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::rc::Rc;

    /// The machine of the toys: its bursts slow whoever runs, and each call is logged: a
    /// program, its processors, and its operations, or 0 when it is moved.
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
        /// Slices so far; the first ones are slow.
        slices: i32,
        fails_after: i32,
    }

    impl Runner for Toy {
        fn move_to(&mut self, processors: &[usize]) -> Result<(), Stop> {
            self.processors = processors.to_owned();
            let call = (self.name, self.processors.clone(), 0);
            self.machine.borrow_mut().log.push(call);
            Ok(())
        }

        fn slice(
            &mut self,
            operations: u64,
            singles: &mut [Distribution; 2],
        ) -> Result<(Slice, Duration), Stop> {
            let mut machine = self.machine.borrow_mut();
            let call = (self.name, self.processors.clone(), operations);
            machine.log.push(call);
            if self.slices >= self.fails_after {
                return Err("it fell over".to_owned().into());
            }
            let cold = 1.0 + 0.5_f64.powi(self.slices);
            self.slices += 1;
            // Every other 50 ms a neighbour makes everything slower by a half.
            let is_burst = !(machine.now / 50_000_000).is_multiple_of(2);
            let burst = if is_burst { 1.5 } else { 1.0 };
            // 4 %, as the sum of three uniform draws, whose standard deviation is 0.5.
            let sum: usize = (0..3).map(|_| self.random.below(10_000)).sum();
            let noise = 1.0 + 0.08 * (sum as f64 / 1e4 - 1.5);
            let time = (self.time * operations as f64 * cold * burst * noise) as u64;
            let waited = if self.random.below(10) == 0 {
                4_000_000
            } else {
                0
            };
            machine.now += time + waited;
            singles[0].record(time / operations);
            let slice = Slice {
                operations,
                sides: [time / 4, time / 4 * 3 + waited],
                wall: time + waited,
                cpu: time,
                probe: (2000.0 * burst) as u64,
            };
            Ok((slice, Duration::from_nanos(time + waited)))
        }
    }

    fn players(times: &[f64], machine: &Rc<RefCell<Machine>>, seed: u64) -> Players<Toy> {
        let toys = times.iter().zip(0..).map(|(time, name)| Toy {
            name,
            time: *time,
            machine: Rc::clone(machine),
            random: Random::new(seed << 8 | name as u64),
            processors: Vec::new(),
            slices: 0,
            fails_after: i32::MAX,
        });
        Players::new(toys.map(Ok), 1).expect("players")
    }

    const TOTAL: Duration = Duration::from_millis(420);

    /// The toys after their turns on two processors.
    fn measured(times: &[f64], total: Duration, seed: u64) -> Vec<Player<Toy>> {
        let mut scenarios = [players(times, &Rc::default(), seed)];
        take_turns(&mut scenarios, total, &[4, 6], &mut Random::new(seed)).expect("turns");
        let [scenario] = scenarios;
        let players: Result<_, Stop> = scenario.players.into_iter().collect();
        players.expect("none is lost")
    }

    fn figure(player: &Player<Toy>, side: usize) -> f64 {
        let share = [0.25, 0.75][side];
        Rate::of(&player.turns).expect("slices").time(side) / share / player.runner.time
    }

    /// Operations of 1 µs to 100 ms.
    #[test]
    fn a_turn_is_64_operations_and_25_ms_in_slices_of_1_ms() {
        for (each, operations, slices) in [
            (1e3, 25_024, 26),
            (390e3, 64, 32),
            (390.7e3, 64, 32),
            (300e3, 96, 32),
            (1.5e6, 64, 64),
            (1.6e6, 32, 32),
            (4e6, 32, 32),
            (10e6, 15, 15),
            (200e6, 1, 1),
        ] {
            let plan = plan(each);
            assert_eq!(plan.iter().sum::<u64>(), operations, "{each}");
            assert_eq!(plan.len(), slices, "{each}");
            let [least, most] = [plan.iter().min(), plan.iter().max()];
            assert!(most <= least.map(|least| least + 1).as_ref(), "{plan:?}");
        }
    }

    #[test]
    fn figures_hold_on_a_noisy_machine() {
        for player in measured(&[1e3, 1e3, 1030.0, 5e6], TOTAL * 10, 1) {
            for side in [0, 1] {
                let level = figure(&player, side);
                assert!((0.99..1.01).contains(&level), "{side}: {level}");
            }
        }
    }

    /// Alone or beside others, of which one is slow: each has as many turns, and the same figure.
    #[test]
    fn company_changes_nothing() {
        let mean = |times: &[f64], total| {
            let runs = (0..16).map(|seed| measured(times, total, seed));
            let (mut sum, mut turns) = (0.0, 0);
            for run in runs {
                sum += figure(&run[0], 0) / 16.0;
                turns = run[0].turns.len();
            }
            (sum, turns)
        };
        let alone = [1e5; 1];
        let company = [1e5, 1e5, 2e6, 1e4];
        for total in [TOTAL / 6, TOTAL, TOTAL * 8] {
            let (figure, count) = mean(&alone, total);
            let (beside, same) = mean(&company, total);
            assert!(same.abs_diff(count) <= 1 + count / 10, "{same} and {count}");
            assert!((figure - 1.0).abs() < 0.003, "{count} turns: {figure}");
            assert!((beside / figure - 1.0).abs() < 0.003, "{beside}, {figure}");
        }
    }

    #[test]
    fn a_round_is_on_one_processor_and_in_random_order() {
        let machine: Rc<RefCell<Machine>> = Rc::default();
        let mut scenarios = [players(&[1e3, 1e3, 1e3], &machine, 0)];
        take_turns(&mut scenarios, TOTAL, &[4, 6], &mut Random::new(2)).expect("turns");
        let log = &machine.borrow().log;
        let moves: Vec<_> = log
            .iter()
            .filter(|(.., operations)| *operations == 0)
            .collect();
        let mut orders = BTreeSet::new();
        for (round, moves) in moves.chunks(3).enumerate() {
            let on = [4, 6][round.saturating_sub(1) % 2];
            assert!(moves.iter().all(|(_, processors, _)| *processors == [on]));
            orders.insert(Vec::from_iter(moves.iter().map(|(name, ..)| *name)));
        }
        assert!(orders.len() > 3, "{orders:?}");
    }

    #[test]
    fn a_program_has_a_processor_for_each_thread() {
        let machine: Rc<RefCell<Machine>> = Rc::default();
        let mut scenarios = [players(&[1e3; 2], &machine, 0)];
        scenarios[0].threads = 2;
        take_turns(&mut scenarios, TOTAL, &[1, 3, 5], &mut Random::new(6)).expect("turns");
        let log = &machine.borrow().log;
        for expected in [[1, 3], [3, 5], [5, 1]] {
            assert!(log.iter().any(|(_, on, _)| *on == expected));
        }
    }

    #[test]
    fn a_program_that_fails_is_lost_and_others_go_on() {
        let mut scenarios = [players(&[1e3; 3], &Rc::default(), 0)];
        if let Ok(player) = &mut scenarios[0].players[1] {
            player.runner.fails_after = 100;
        }
        take_turns(&mut scenarios, TOTAL, &[0], &mut Random::new(3)).expect("turns");
        let [first, lost, third] = &scenarios[0].players[..] else {
            panic!("three players");
        };
        let why = lost.as_ref().map(|player| player.turns.len());
        assert!(matches!(why, Err(Stop::Failed(why)) if why == "it fell over"));
        for player in [first, third] {
            let player = player.as_ref().expect("it is there");
            assert!(player.turns.len() >= 10);
            // A time of each slice, without those of the warm-up.
            let slices = player.turns.iter().map(Vec::len).sum::<usize>();
            assert_eq!(player.singles[0].count(), slices as u64);
        }
    }

    struct Broken;

    impl Runner for Broken {
        fn move_to(&mut self, _: &[usize]) -> Result<(), Stop> {
            Ok(())
        }

        fn slice(
            &mut self,
            operations: u64,
            _: &mut [Distribution; 2],
        ) -> Result<(Slice, Duration), Stop> {
            match operations {
                0..2048 => Ok(Default::default()),
                _ => Err(Failure::Usage("enough".to_owned()).into()),
            }
        }
    }

    #[test]
    fn a_fatal_failure_ends_all() {
        let mut scenarios = [Players::new([Ok(Broken)], 1).expect("a player")];
        let ended = take_turns(&mut scenarios, TOTAL, &[], &mut Random::new(4));
        assert_eq!(ended.expect_err("an end").to_string(), "enough");
    }
}

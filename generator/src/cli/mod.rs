//! The commands: each loads its input, calls pure code, and writes the result.

pub(crate) mod arguments;
pub(crate) mod compare;
pub(crate) mod grid;
mod ingest;
mod init;
pub(crate) mod pivot;
mod read;
#[cfg_attr(windows, path = "run/windows.rs")]
mod run;
mod show;
pub(crate) mod splice;
mod stale;

use crate::base::console::{self, print};
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::{Cli, Command, Output};
use anyhow::Context;
use clap::builder::styling::AnsiColor;
use clap::{ColorChoice, CommandFactory, Parser};
use std::num::NonZero;
use std::process::ExitCode;

/// Reads the command line, runs a command, and returns its exit code.
pub fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => execute(&cli).inspect_err(report),
        Err(usage) => print_usage(&usage),
    };
    match outcome.and_then(|()| console::check_messages()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.exit_code()),
    }
}

/// Starts the thread pool, unless an earlier command of this process has. The main thread is its
/// first worker.
fn start_threads() -> Result<()> {
    if rayon::current_thread_index().is_none() {
        // Rayon itself would start as many as the variable says.
        let mut most = std::thread::available_parallelism().map_or(1, NonZero::get);
        if let Some(value) = std::env::var_os("RAYON_NUM_THREADS")
            && let Ok(wanted @ 1..) = value.to_string_lossy().parse::<usize>()
        {
            most = most.min(wanted);
        }
        let threads = rayon::ThreadPoolBuilder::new().num_threads(most);
        let threads = threads.use_current_thread();
        threads.build_global().context("cannot start threads")?;
    }
    Ok(())
}

/// Runs a command.
pub fn execute(cli: &Cli) -> Result<()> {
    match cli.color {
        ColorChoice::Auto => {}
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
    }
    console::set_quiet(cli.quiet);
    match &cli.command {
        Command::Show(arguments) => show::show(arguments),
        Command::Compare(arguments) => compare::compare(arguments),
        Command::Ingest(arguments) => ingest::ingest(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Init(arguments) => init::init(arguments),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "generator", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
        Command::Man { command } => manual(command.as_deref()),
    }
}

/// Prints what a command makes, or puts it where `--splice` says.
fn deliver(output: &Output, text: &str) -> Result<()> {
    match &output.splice {
        None => print(text),
        Some(target) if output.check => target.check(text),
        Some(target) => target.write(text),
    }
}

fn manual(command: Option<&str>) -> Result<()> {
    let mut all = Cli::command();
    all.build();
    let of = match command {
        None => &all,
        Some(name) => all.find_subcommand(name).ok_or_else(|| {
            let message = format!("there is no command `{name}`; see generator --help");
            Failure::Usage(message)
        })?,
    };
    let mut page = Vec::new();
    let source = concat!("generator ", env!("CARGO_PKG_VERSION"));
    let rendered = clap_mangen::Man::new(of.clone())
        .source(source)
        .render(&mut page);
    rendered.context("cannot write the manual page")?;
    print(&String::from_utf8_lossy(&page))
}

fn report(failure: &Failure) {
    let red = AnsiColor::Red.on_default().bold();
    match failure {
        // The user knows why.
        Failure::Interrupted { .. } => crate::say!("{failure}"),
        _ => crate::say!("{red}error:{red:#} {failure}"),
    }
    if let Failure::BadInput(problems) = failure
        && problems.iter().any(|problem| problem.is_unknown)
    {
        crate::say!(
            "docs/formats.md has the known ones; others are read by [[read]] entries in report.toml, or in a file for --read"
        );
    }
}

/// Prints help and version to standard output, usage errors to standard error.
fn print_usage(usage: &clap::Error) -> Result<()> {
    let text = usage.render().ansi().to_string();
    if usage.use_stderr() {
        crate::say!("{}", text.trim_end());
        return Err(Failure::Usage(text));
    }
    print(&text).inspect_err(report)
}

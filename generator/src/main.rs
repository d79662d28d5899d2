//! The program: reads the command line, runs a command, and exits with its code.

use clap::Parser;
use generator::cli::{Cli, Color, Command};
use generator::failure::{Failure, Result};
use generator::{cmd, console, say};
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(&cli),
        Err(usage) => return print_usage(&usage),
    };
    if let Err(failure) = &outcome {
        report(failure);
    }
    match outcome.and_then(|()| console::check_messages()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.exit_code()),
    }
}

fn run(cli: &Cli) -> Result<()> {
    match cli.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
    match &cli.command {
        Command::Show(arguments) => cmd::show(arguments, cli.quiet),
        Command::Compare(arguments) => cmd::compare(arguments, cli.quiet),
        Command::Ingest(arguments) => cmd::ingest(arguments, cli.quiet),
        Command::Run(arguments) => cmd::run(arguments, cli.quiet),
        Command::New(arguments) => cmd::new(arguments, cli.quiet),
        Command::Build(arguments) => cmd::build(arguments, cli.quiet),
        Command::Serve(arguments) => cmd::serve(arguments),
        Command::Zola => cmd::zola(),
        Command::Completions { shell } => cmd::completions(*shell),
        Command::Man => cmd::man(),
    }
}

fn report(failure: &Failure) {
    match failure {
        // The user knows why.
        Failure::Interrupted { .. } => say!("{failure}"),
        _ => {
            let red = clap::builder::styling::AnsiColor::Red.on_default().bold();
            say!("{red}error:{red:#} {failure}");
        }
    }
}

/// Help and version go to standard output, what is wrong with the command line to standard error.
fn print_usage(usage: &clap::Error) -> ExitCode {
    let text = usage.render();
    if usage.use_stderr() {
        say!("{}", text.ansi().to_string().trim_end());
        return ExitCode::from(Failure::Usage(String::new()).exit_code());
    }
    match console::print(&text.ansi().to_string()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

//! The program: reads the command line, runs a command, tells its exit code.

use anstream::eprintln;
use clap::Parser;
use generator::cli::{Cli, Color, Command};
use generator::cmd;
use generator::failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
    let outcome = match &cli.command {
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
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Who interrupts a program knows that it is no error.
        Err(failure @ Failure::Interrupted { .. }) => {
            eprintln!("{failure}");
            ExitCode::from(failure.exit_code())
        }
        Err(failure) => {
            let red = clap::builder::styling::AnsiColor::Red.on_default().bold();
            eprintln!("{red}error:{red:#} {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

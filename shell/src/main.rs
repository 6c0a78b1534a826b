//! The `ede` binary. Everything it does is in the library; this hands over the arguments and answers the exit code.

fn main() -> std::process::ExitCode {
    ede::cli::run(std::env::args_os())
}

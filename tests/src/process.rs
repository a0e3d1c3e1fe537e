//! A child process that never outlives its owner.

use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

/// A running child process. Dropping it kills the process and waits for its end.
#[derive(Debug)]
pub struct Process {
    child: Child,
}

impl Process {
    /// Starts `command`.
    pub fn start(command: &mut Command) -> Result<Self> {
        let child = command
            .spawn()
            .with_context(|| format!("cannot start {command:?}"))?;
        Ok(Self { child })
    }

    /// The child, to take its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Ends the process at once (SIGKILL) and waits until it is gone.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Stops the process without ending it (SIGSTOP): its connections stay open and nothing answers.
    pub fn pause(&self) -> Result<()> {
        self.signal(Signal::STOP)
    }

    /// Lets a paused process go on (SIGCONT).
    pub fn resume(&self) -> Result<()> {
        self.signal(Signal::CONT)
    }

    /// Asks the process to end (SIGTERM), then waits up to `patience`.
    pub fn terminate(&mut self, patience: Duration) -> Result<ExitStatus> {
        self.signal(Signal::TERM)?;
        self.wait(patience)
    }

    /// Waits up to `patience` for the process to end by itself.
    pub fn wait(&mut self, patience: Duration) -> Result<ExitStatus> {
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        bail!(
            "process {} did not end within {patience:?}",
            self.child.id()
        );
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        let number = i32::try_from(self.child.id())?;
        let pid = Pid::from_raw(number).context("a process has the number zero")?;
        kill_process(pid, signal).with_context(|| format!("cannot send {signal:?} to {number}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended already; nothing is left to do then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

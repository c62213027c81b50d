import { Command } from "commander";
import { exitCodes } from "../terminal/exitCode.js";
import type { Terminal } from "../terminal/terminal.js";
import { resolveSettings, serveFlags } from "./serveSettings.js";

export function serveCommand(terminal: Terminal): Command {
  const command = new Command("serve").description("start Hadal");
  for (const flag of serveFlags) {
    command.option(
      flag.usage,
      `${flag.text} [${flag.environment}, key "${flag.key}", default ${flag.shown}]`,
    );
  }
  return command
    .option("--config <file>", "JSON file with the keys above [HADAL_CONFIG]")
    .addHelpText(
      "after",
      "\nA flag wins over its environment variable, that over the file, that over the default.",
    )
    .action(async (flags: Readonly<Record<string, unknown>>) => {
      const settings = await resolveSettings(flags, process.env);
      // Loaded here only: asking a question must not wait for the modules of a server.
      const { startServer } = await import("../../role/startServer.js");
      // Another process of Hadal started this one.
      const isSupervised = settings.role === "leaf" && process.send !== undefined;
      // Signals are handled from the start: a new data folder takes a while to open.
      const asked = stopSignal(isSupervised ? ["SIGTERM"] : ["SIGTERM", "SIGINT"]);
      const starting = startServer(settings).catch((error: unknown) => {
        // Threads and channels of what did start would keep the process alive.
        setTimeout(() => process.exit(exitCodes.failed), failedMs).unref();
        throw error;
      });
      const running = await Promise.race([starting, asked.then(() => null)]);
      // Nothing to finish: what is acknowledged is on disk, and child processes end with this one.
      if (running === null) process.exit(exitCodes.interrupted);
      // A leaf reports to its supervisor by its own channel; only a whole server prints its address.
      if (!isSupervised) await terminal.write(`Hadal is ready: ${running.url}\n`);
      await asked;
      await running.close();
      // Remaining timers must not delay a process that has nothing left to save.
      process.exit(0);
    });
}

/** Time to say why a start failed. */
const failedMs = 500;

/** Under `npm start` one Ctrl-C arrives twice, from the terminal and from npm: what comes this soon is the same one. */
const sameSignalMs = 1_000;

/** Resolves at the first of these signals; another one ends the process at once. */
function stopSignal(signals: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    let askedMs: number | undefined;
    const onSignal = (): void => {
      const nowMs = performance.now();
      if (askedMs !== undefined && nowMs - askedMs > sameSignalMs) process.exit(exitCodes.failed);
      askedMs ??= nowMs;
      resolve();
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
}

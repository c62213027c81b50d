import { Command } from "commander";
import { resolveSettings, serveFlags } from "./serveSettings.js";
import type { Terminal } from "./terminal.js";

/** Whether another process of Hadal started this one. */
const isSupervised = process.send !== undefined;

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
      const { startServer } = await import("../role/startServer.js");
      const running = await startServer(settings);
      // Who started a leaf hears of it by its own channel; people wait for the gateway.
      if (!isSupervised) await terminal.write(`Hadal is ready: ${running.url}\n`);
      await stopSignal();
      await running.close();
      // Whatever still ticks must not hold up a process that has nothing left to save.
      process.exit(0);
    });
}

/** Under `npm start` one Ctrl-C arrives twice, from the terminal and from npm: what comes this soon is the same one. */
const sameSignalMs = 1_000;

/** Resolves at the first Ctrl-C or SIGTERM; another one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let askedMs: number | undefined;
    const onSignal = (): void => {
      const nowMs = performance.now();
      if (askedMs !== undefined && nowMs - askedMs > sameSignalMs) process.exit(1);
      askedMs ??= nowMs;
      resolve();
    };
    // Ctrl-C reaches the whole group of processes: a leaf leaves it to its supervisor to stop it in order.
    process.on("SIGINT", isSupervised ? () => undefined : onSignal);
    process.on("SIGTERM", onSignal);
  });
}

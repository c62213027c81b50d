import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { DemoInfo } from "@hadal/sdk";
import type { DemoMessage } from "../demo/main.js";

/**
 * The certificate is for the name that people use, and the demo connects to this machine's address, where its own parent
 * listens: there is no name to check, and it connects to nothing else.
 */
const ofOwnParent = { NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" };

/** As the process says, too. */
export const demoTable = "requests";

/** The process that writes the demo table, and its progress. */
export class DemoProcess {
  readonly #warn: (text: string) => void;
  /** From the first moment: a status request before the first row should show that rows will come. */
  info: DemoInfo = { table: demoTable, rows: 0, fraction: 0, problem: null };
  #isStopped = false;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  /** Starts to write history to the server at this address, then live rows. Returns a function that stops it. */
  start({ url, token }: { readonly url: string; readonly token: string }): () => Promise<void> {
    const program = fileURLToPath(new URL("./demo.js", import.meta.url));
    const child = fork(program, [url], {
      env: { ...process.env, ...(url.startsWith("https:") && ofOwnParent), HADAL_TOKEN: token },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      detached: true,
    });
    child.on("message", (message: DemoMessage) => this.#take(message));
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    void exited.then(() => {
      if (!this.#isStopped) this.#fail("it ended by itself");
    });
    return async () => {
      this.#isStopped = true;
      if (child.connected) child.disconnect();
      else child.kill("SIGTERM");
      await exited;
    };
  }

  #take(message: DemoMessage): void {
    if (message.kind === "demo-failed") this.#fail(message.detail);
    else if (message.kind === "demo-ready") this.info = { ...this.info, fraction: 1 };
    else {
      const { table, rows, fraction } = message;
      // Whole only once the last row of it is stored, which another message says.
      this.info = { ...this.info, table, rows, fraction: Math.min(fraction, 0.999) };
      printProgress(message);
    }
  }

  #fail(detail: string): void {
    if (this.info.problem !== null) return;
    this.info = { ...this.info, problem: detail };
    this.#warn(`demo: ${detail}`);
  }
}

/** One line that counts up on a terminal; elsewhere every tenth of it would still be noise. */
function printProgress({
  table,
  rows,
  fraction,
}: Extract<DemoMessage, { kind: "demo-progress" }>): void {
  if (!process.stderr.isTTY) return;
  const percent = `${Math.floor(fraction * 100)} %`.padStart(5);
  const line = `loading demo table ${table} ${percent} (${rows.toLocaleString("en")} rows)`;
  process.stderr.write(`\r${line}${fraction >= 1 ? "\n" : ""}`);
}

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ServerSettings } from "../../base/limit/settings.js";
import type { GatewayMessage, LeafAddress, MessageToGateway } from "../processMessages.js";
import { SupervisedProcess } from "./supervisedProcess.js";

export interface GatewaySupervisorSettings {
  readonly settings: ServerSettings;
  /** The key of the cluster. */
  readonly key: string;
  /** Where each leaf listens now. */
  readonly leaves: () => readonly LeafAddress[];
  readonly warn: (text: string) => void;
}

/** Starts the gateway process, and starts it again when it ends, on the same port. Leaves go on meanwhile. */
export class GatewaySupervisor {
  readonly #given: GatewaySupervisorSettings;
  readonly #process: SupervisedProcess;
  #url = "";
  /** Chosen by the first start where it may be any. */
  #port: number;
  #areLeavesReady = false;

  constructor(given: GatewaySupervisorSettings) {
    this.#given = given;
    this.#port = given.settings.port;
    this.#process = new SupervisedProcess({
      name: "gateway",
      start: () => this.#spawn(),
      outcomeOf: (message) => this.#outcomeOf(message as GatewayMessage),
      warn: given.warn,
    });
  }

  /** Loads the program while leaves start, and begins when they are ready. Resolves with its address when it listens; rejects when it cannot. */
  async start(leavesReady: Promise<void>): Promise<string> {
    const listening = this.#process.start();
    // A leaf may fail first.
    listening.catch(() => undefined);
    await Promise.race([leavesReady, listening]);
    this.#areLeavesReady = true;
    this.#begin();
    await listening;
    return this.#url;
  }

  /** The gateway connects to a leaf where it listens now. */
  sendAddress(leaf: LeafAddress): void {
    this.#process.send({ kind: "leaf-address", ...leaf } satisfies MessageToGateway);
  }

  /** Resolves when it has written what it holds and ended. */
  stop(): Promise<void> {
    return this.#process.stop();
  }

  #spawn(): ChildProcess {
    const program = fileURLToPath(new URL("./gateway.js", import.meta.url));
    const child = fork(program, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // A Ctrl-C in the terminal reaches the whole group: the gateway ends on the supervisor's order.
      detached: true,
    });
    if (this.#areLeavesReady) child.send(this.#startMessage(), () => undefined);
    return child;
  }

  #begin(): void {
    this.#process.send(this.#startMessage());
  }

  #startMessage(): MessageToGateway {
    const { settings, key, leaves } = this.#given;
    return {
      kind: "start",
      settings: { ...settings, port: this.#port },
      key,
      leaves: leaves(),
    };
  }

  #outcomeOf(message: GatewayMessage): "ready" | Error {
    if (message.kind === "gateway-failed") {
      const { message: text, ...details } = message.error;
      return Object.assign(new Error(text), details);
    }
    this.#url = message.url;
    this.#port = Number(new URL(message.url).port);
    return "ready";
  }
}

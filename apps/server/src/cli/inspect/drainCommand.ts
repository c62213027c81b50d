import { setTimeout as pause } from "node:timers/promises";
import { type HadalClient, HadalError, type MachineInfo } from "@hadal/sdk";
import { Command } from "commander";
import { connect } from "../connect/connect.js";
import { printLines } from "../terminal/printLines.js";
import { printRows } from "../terminal/printNumber.js";
import type { Terminal } from "../terminal/terminal.js";

interface DrainFlags {
  readonly url: string;
  readonly undo?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

const askEveryMs = 500;

export function drainCommand(terminal: Terminal): Command {
  return new Command("drain")
    .description("empty a machine: it gets no new rows, and answers queries until it is stopped")
    .argument("<machine>", "its name, as `hadal status` prints it")
    .option("--undo", "let it take rows again")
    .option("--wait", "wait until it may be stopped")
    .option("--json", "print JSON")
    .action(async (name: string, { url, undo = false, wait = false, json }: DrainFlags) => {
      if (undo && wait) {
        throw new HadalError("bad-request", {
          detail: "--wait waits for a drain, not for --undo.",
        });
      }
      const client = await connect(url);
      const asked = await client.drain(name, { drain: !undo });
      const machine = wait ? await untilDrained(client, asked) : asked;
      client.close();
      await printLines([json ? JSON.stringify(machine) : describeMachine(machine)], terminal);
    });
}

async function untilDrained(client: HadalClient, asked: MachineInfo): Promise<MachineInfo> {
  for (let machine = asked; ; await pause(askEveryMs)) {
    if (machine.state === "drained") return machine;
    const { machines } = await client.cluster();
    const now = machines.find(({ name }) => name === asked.name);
    if (now === undefined) throw new HadalError("unknown-machine", goneOf(asked, machines));
    machine = now;
  }
}

const goneOf = ({ name }: MachineInfo, machines: readonly MachineInfo[]) => ({
  machine: name,
  known: machines.map((other) => other.name).join(", "),
});

function describeMachine({ name, state, rows }: MachineInfo): string {
  const held = rows === null ? "" : `; its leaves hold ${printRows(rows)}`;
  if (state === "drained") return `${name} is drained and may be stopped${held}`;
  if (state === "draining") {
    return `${name} is draining: it gets no new rows, and answers queries${held}`;
  }
  return `${name} is ${state}${held}`;
}

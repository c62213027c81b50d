import {
  type AlertStatus,
  alertStates,
  durationMs,
  type HadalClient,
  HadalError,
  parseDuration,
} from "@hadal/sdk";
import { Command, Option } from "commander";
import { withClient } from "../connect/withClient.js";
import { exitCodes } from "../terminal/exitCode.js";
import { printLines } from "../terminal/printLines.js";
import { printTime } from "../terminal/printNumber.js";
import type { Terminal } from "../terminal/terminal.js";
import { printTextTable } from "../terminal/textTable.js";

interface Flags {
  readonly url: string;
  readonly json?: boolean;
}

interface WhichFlags extends Flags {
  readonly all?: boolean;
}

/** Alert rules: what they say now, and what people do about them. */
export function alertsCommand(terminal: Terminal, exitWith: (code: number) => void): Command {
  const command = new Command("alerts").description("alert rules: list, mute, acknowledge, test");
  for (const sub of [
    listCommand(terminal),
    muteCommand(terminal),
    unmuteCommand(terminal),
    acknowledgeCommand(terminal),
    testCommand(terminal, exitWith),
  ])
    command.addCommand(sub.option("--json", "print JSON"));
  return command;
}

function listCommand(terminal: Terminal): Command {
  const state = new Option("--state <state>", "only those in this state").choices(alertStates);
  return new Command("list")
    .description("list the rules, those that need someone first")
    .addOption(state)
    .action(async (_flags: object, self: Command) => {
      const { state: wanted, ...flags } = self.optsWithGlobals<Flags & { state?: string }>();
      const all = await withClient(flags.url, ({ alerts }) => alerts.list());
      await print(
        all.filter((one) => wanted === undefined || one.state === wanted),
        flags,
        terminal,
      );
    });
}

function muteCommand(terminal: Terminal): Command {
  return new Command("mute")
    .description("send nothing of a rule for a while; it is still evaluated")
    .argument("[id]", "of the rule, as `hadal alerts list` prints it")
    .option("--all", "every rule")
    .requiredOption("--for <duration>", "such as 30m, 4h or 2d")
    .action(async (id: string | undefined, _flags: object, self: Command) => {
      const flags = self.optsWithGlobals<WhichFlags & { for: string }>();
      const muteMs = durationMs(parseDuration(flags.for));
      if (muteMs === 0) throw new HadalError("bad-request", { detail: "--for is no time at all." });
      await changeRules(id, flags, terminal, (client, one) =>
        client.alerts.mute(one, Date.now() + muteMs),
      );
    });
}

function unmuteCommand(terminal: Terminal): Command {
  return new Command("unmute")
    .description("end a mute: what fires is sent")
    .argument("[id]", "of the rule")
    .option("--all", "every rule")
    .action(async (id: string | undefined, _flags: object, self: Command) => {
      const flags = self.optsWithGlobals<WhichFlags>();
      await changeRules(id, flags, terminal, (client, one) => client.alerts.mute(one, 0));
    });
}

function acknowledgeCommand(terminal: Terminal): Command {
  return new Command("ack")
    .description("end the repetitions of what fires now")
    .argument("<id>", "of the rule")
    .action(async (id: string, _flags: object, self: Command) => {
      await changeRules(id, self.optsWithGlobals<WhichFlags>(), terminal, (client, one) =>
        client.alerts.acknowledge(one),
      );
    });
}

function testCommand(terminal: Terminal, exitWith: (code: number) => void): Command {
  return new Command("test")
    .description("send a message that says that it is a test to each channel of a rule")
    .argument("<id>", "of the rule")
    .action(async (id: string, _flags: object, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const tests = await withClient(flags.url, ({ alerts }) => alerts.test(id));
      const lines = tests.map(
        ({ channel, kind, error }) => `channel ${channel} (${kind}): ${error ?? "sent"}`,
      );
      const none = tests.length === 0 ? ["The rule has no channels."] : [];
      await printLines(flags.json ? [JSON.stringify(tests)] : [...lines, ...none], terminal);
      if (tests.some(({ error }) => error !== null)) exitWith(exitCodes.failed);
    });
}

/** One rule, or all of them. */
async function changeRules(
  id: string | undefined,
  flags: WhichFlags,
  terminal: Terminal,
  change: (client: HadalClient, id: string) => Promise<AlertStatus>,
): Promise<void> {
  const { all = false } = flags;
  if ((id === undefined) !== all)
    throw new HadalError("bad-request", { detail: "Give the id of a rule, or --all." });
  const changed = await withClient(flags.url, async (client) => {
    const ids = id === undefined ? (await client.alerts.list()).map((one) => one.id) : [id];
    const done: AlertStatus[] = [];
    for (const one of ids) done.push(await change(client, one));
    return done;
  });
  await print(changed, flags, terminal);
}

async function print(
  rules: readonly AlertStatus[],
  { json = false }: Flags,
  terminal: Terminal,
): Promise<void> {
  await printLines(json ? [JSON.stringify(rules)] : printRules(rules), terminal);
}

/** What needs someone comes first. */
const order = ["firing", "unknown", "pending", "muted", "ok"] as const;

/** Lines that list rules with their states. */
function printRules(rules: readonly AlertStatus[]): Iterable<string> {
  if (rules.length === 0) return ["No such alert rules."];
  const sorted = [...rules].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const names = ["id", "state", "since", "value", "table", "title", "note"] as const;
  return printTextTable(
    names.map((name) => ({ name, align: name === "value" ? "right" : "left" })),
    sorted.map(({ id, state, since, value, table, title, ...rest }) => [
      ...[id, state, printTime(since), value === null ? "–" : String(value), table, title],
      noteOf(rest),
    ]),
    // Ids and reasons are there to be copied.
    "whole",
  );
}

function noteOf({
  mutedUntilMs,
  acknowledged,
  reason,
  groupCount,
}: Pick<AlertStatus, "mutedUntilMs" | "acknowledged" | "reason" | "groupCount">): string {
  const notes = [
    ...(mutedUntilMs === null ? [] : [`muted until ${printTime(mutedUntilMs)}`]),
    ...(groupCount === 0 ? [] : [`${groupCount} ${groupCount === 1 ? "group" : "groups"}`]),
    ...(acknowledged === null ? [] : [`acknowledged by ${acknowledged.who ?? "someone"}`]),
    ...(reason === null ? [] : [reason]),
  ];
  return notes.join("; ");
}

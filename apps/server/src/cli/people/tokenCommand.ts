import type { TokenInfo } from "@hadal/sdk";
import { Command } from "commander";
import { commandLine } from "../../access/audit/auditLog.js";
import { escapeControls } from "../terminal/errorLine.js";
import { printLines } from "../terminal/printLines.js";
import { printTime } from "../terminal/printNumber.js";
import type { Terminal } from "../terminal/terminal.js";
import { printTextTable } from "../terminal/textTable.js";
import { addRegistryFlags, type RegistryFlags, withPeople } from "./openPeople.js";

interface CreateFlags extends RegistryFlags {
  readonly scope: string;
  readonly name?: string;
  readonly expires?: string;
  readonly json?: boolean;
}

export function tokenCommand(terminal: Terminal): Command {
  const command = new Command("token").description(
    "tokens of programs; works on the registry of the server's data folder or database",
  );
  for (const sub of [createCommand(terminal), listCommand(terminal), revokeCommand(terminal)])
    command.addCommand(addRegistryFlags(sub));
  return command;
}

function createCommand(terminal: Terminal): Command {
  return new Command("create")
    .description("make a token; only now it is shown")
    .requiredOption(
      "--scope <scopes>",
      "what it may do, with commas between: query:TABLE, ingest:TABLE, embed:TABLE (* for every table), save, operate, admin",
    )
    .option("--name <name>", "which program it is for")
    .option("--expires <duration>", "how long it is valid, such as 90d or 1h (default: for ever)")
    .option("--json", "print JSON")
    .action(async (flags: CreateFlags) => {
      const { scope, name, expires } = flags;
      const draft = {
        scopes: scope.split(",").map((one) => one.trim()),
        ...(name === undefined ? {} : { name }),
        ...(expires === undefined ? {} : { expires }),
      };
      const { id, token } = await withPeople(flags, ({ tokens }) =>
        tokens.create(draft, commandLine),
      );
      if (flags.json) {
        await terminal.write(`${JSON.stringify({ id, token })}\n`);
        return;
      }
      await terminal.writeError(`The token ${id}; it is shown only now:\n`);
      await terminal.write(`${token}\n`);
    });
}

function listCommand(terminal: Terminal): Command {
  return new Command("list")
    .description("list the tokens")
    .option("--json", "print JSON")
    .action(async (flags: RegistryFlags & { json?: boolean }) => {
      const tokens = await withPeople(flags, (people) => people.tokens.list());
      await printLines(flags.json ? [JSON.stringify(tokens)] : printTokens(tokens), terminal);
    });
}

function revokeCommand(terminal: Terminal): Command {
  return new Command("revoke")
    .description("revoke a token; within seconds no server accepts it")
    .argument("<id>")
    .action(async (id: string, flags: RegistryFlags) => {
      await withPeople(flags, ({ tokens }) => tokens.revoke(id, commandLine));
      await terminal.write(`${escapeControls(id)} was revoked.\n`);
    });
}

function printTokens(tokens: readonly TokenInfo[]): Iterable<string> {
  if (tokens.length === 0) return ["No tokens yet (hadal token create --scope query:*)."];
  return printTextTable(
    [
      { name: "id", align: "left" },
      { name: "name", align: "left" },
      { name: "scopes", align: "left" },
      { name: "created", align: "left" },
      { name: "by", align: "left" },
      { name: "expires", align: "left" },
      { name: "last used", align: "left" },
    ],
    tokens.map(({ id, name, scopes, createdMs, createdBy, expires, lastUsed }) => [
      ...[id, name === id ? "–" : name, scopes.join(","), printTime(createdMs), createdBy ?? "–"],
      ...[printTime(expires), printTime(lastUsed)],
    ]),
    "whole",
  );
}

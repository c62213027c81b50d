import { type Role, roles, type User, urlDefault } from "@hadal/sdk";
import { Command, Option } from "commander";
import { commandLine } from "../../access/audit/auditLog.js";
import { readSecret } from "../connect/readSecret.js";
import { escapeControls } from "../terminal/errorLine.js";
import { printLines } from "../terminal/printLines.js";
import { printTime } from "../terminal/printNumber.js";
import type { Terminal } from "../terminal/terminal.js";
import { printTextTable } from "../terminal/textTable.js";
import { addRegistryFlags, type RegistryFlags, withPeople } from "./openPeople.js";

interface PasswordFlags extends RegistryFlags {
  readonly passwordStdin?: boolean;
  readonly url: string;
}

interface AddFlags extends PasswordFlags {
  readonly role: Role;
  readonly groups?: string;
}

export function userCommand(terminal: Terminal): Command {
  const command = new Command("user").description(
    "people who may sign in; works on the registry of the server's data folder or database",
  );
  for (const sub of [
    addCommand(terminal),
    listCommand(terminal),
    removeCommand(terminal),
    passwordCommand(terminal),
  ]) {
    command.addCommand(addRegistryFlags(sub));
  }
  return command;
}

function addCommand(terminal: Terminal): Command {
  return withPasswordFlags(new Command("add"))
    .description("add a user; prints a link with which the user sets a password")
    .argument("<name>")
    .addOption(
      new Option("--role <role>", "what the user may do").choices(roles).makeOptionMandatory(),
    )
    .option("--groups <names>", "groups of the user, with commas between")
    .action(async (name: string, flags: AddFlags) => {
      const { role, groups } = flags;
      const draft = { name, role, groups: listOf(groups) };
      const password = await passwordOf(flags);
      await withPeople(flags, async ({ users }) => {
        if (password !== null) {
          const user = await users.createWithPassword(draft, password, commandLine);
          await terminal.write(`${escapeControls(user.name)} (${user.role}) was added.\n`);
          return;
        }
        const { setup, ...user } = await users.create(draft, commandLine);
        await terminal.write(`${escapeControls(user.name)} (${user.role}) was added.\n`);
        await printSetup(setup, flags, terminal);
      });
    });
}

function listCommand(terminal: Terminal): Command {
  return new Command("list")
    .description("list the users")
    .option("--json", "print JSON")
    .action(async (flags: RegistryFlags & { json?: boolean }) => {
      const users = await withPeople(flags, (people) => people.users.list());
      await printLines(flags.json ? [JSON.stringify(users)] : printUsers(users), terminal);
    });
}

function removeCommand(terminal: Terminal): Command {
  return new Command("remove")
    .description("remove a user; sessions end, and grants that name the user go too")
    .argument("<name>")
    .action(async (name: string, flags: RegistryFlags) => {
      await withPeople(flags, async ({ users }) => {
        const user = await users.findByName(name);
        await users.remove(user.id, commandLine, "any");
        await terminal.write(`${escapeControls(user.name)} was removed.\n`);
      });
    });
}

function passwordCommand(terminal: Terminal): Command {
  return withPasswordFlags(new Command("password"))
    .description("set a user's password again; sessions end")
    .argument("<name>")
    .action(async (name: string, flags: PasswordFlags) => {
      const password = await passwordOf(flags);
      await withPeople(flags, async ({ users }) => {
        const user = await users.findByName(name);
        if (password !== null) {
          await users.setPassword(user.id, password, commandLine);
          await terminal.write(`${escapeControls(user.name)} has a new password.\n`);
          return;
        }
        const { setup } = await users.invite(user.id, commandLine);
        await printSetup(setup, flags, terminal);
      });
    });
}

/** A password among the arguments would be in the list of processes and the shell's history. */
function withPasswordFlags(command: Command): Command {
  return command
    .option("--password-stdin", "read the password from standard input; without it a link is made")
    .addOption(
      new Option("--url <url>", "the server's address, for the link")
        .env("HADAL_URL")
        .default(urlDefault),
    );
}

const passwordOf = async ({ passwordStdin }: PasswordFlags): Promise<string | null> =>
  passwordStdin === true ? readSecret(process.stdin) : null;

async function printSetup(
  setup: string,
  { url }: PasswordFlags,
  terminal: Terminal,
): Promise<void> {
  await terminal.writeError("Set the password by this link, once and within three days:\n");
  await terminal.write(`${url.replace(/\/+$/, "")}${setup}\n`);
}

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

function printUsers(users: readonly User[]): Iterable<string> {
  if (users.length === 0) return ["No users yet (hadal user add NAME --role admin)."];
  return printTextTable(
    [
      { name: "name", align: "left" },
      { name: "role", align: "left" },
      { name: "state", align: "left" },
      { name: "signs in by", align: "left" },
      { name: "groups", align: "left" },
      { name: "last sign-in", align: "left" },
    ],
    users.map(({ name, role, state, source, groups, lastSignInMs }) => [
      ...[name, role, state, source, groups.join(", "), printTime(lastSignInMs)],
    ]),
    "whole",
  );
}

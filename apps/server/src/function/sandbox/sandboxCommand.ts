import { randomInt } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface SandboxCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Rights that the process keeps although it should not; none if it is isolated completely. */
  readonly keeps: readonly Kept[];
}

type Kept = "the network" | "the rights of root" | "rights that programs may bring";

/** The user that owns nothing on a machine. */
const nobody = 65_534;
/** User ids that no system assigns: one for each process, so that none can access another. */
const ownUsers = { first: 2 ** 30, count: 2 ** 30 - 1 } as const;

interface SandboxMachine {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
}

const ownMachine = (): SandboxMachine => ({
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
});

/**
 * Ways to start the sandbox process, the strictest first. All forbid Node to write, to start programs and to read more
 * than its code; Linux may also remove the network, writable files and rights.
 */
export function sandboxCommands(
  script: URL,
  { platform, isRoot }: SandboxMachine = ownMachine(),
): SandboxCommand[] {
  const node = [process.execPath, ...nodeArguments(script)];
  const rights: readonly Kept[] = isRoot ? ["the rights of root"] : [];
  if (platform !== "linux") return [command(node, ["the network", ...rights])];
  const alone = ["unshare", "--net", ...(isRoot ? [] : ["--map-root-user"]), "--"];
  const bounded = ["prlimit", "--fsize=0", "--core=0", "--nofile=64", "--"];
  const asUser = (id: number): string[] => [
    ...[...alone, ...bounded, "setpriv", `--reuid=${id}`, `--regid=${id}`, "--clear-groups"],
    ...["--no-new-privs", "--", ...node],
  ];
  // Drops the rights within the new namespace, too.
  const withoutRights = ["setpriv", "--no-new-privs", "--bounding-set=-all", "--"];
  const strict = isRoot
    ? [asUser(ownUser()), asUser(nobody)]
    : [[...alone, ...bounded, ...withoutRights, ...node]];
  const kept: readonly Kept[] = [...rights, "rights that programs may bring"];
  return [
    ...strict.map((way) => command(way, [])),
    command([...alone, ...bounded, ...node], kept),
    command([...bounded, ...node], ["the network", ...kept]),
    command(node, ["the network", ...kept]),
  ];
}

function command(
  [program = "", ...args]: readonly string[],
  keeps: readonly Kept[],
): SandboxCommand {
  return { program, args, keeps };
}

const ownUser = (): number => ownUsers.first + randomInt(ownUsers.count);

function nodeArguments(script: URL): string[] {
  const path = fileURLToPath(script);
  const folder = dirname(path);
  const modules = dirname(createRequire(import.meta.url).resolve("quickjs-emscripten"));
  const readable = [
    join(folder, "*"),
    join(folder, "../package.json"),
    join(modules.slice(0, modules.lastIndexOf("node_modules")), "node_modules", "*"),
    // From which a thread reads its CPU time.
    "/proc/*",
  ];
  // Renamed when it became stable; Node.js 20 has the first name only.
  const flags = process.allowedNodeEnvironmentFlags;
  const permission = flags.has("--permission") ? "--permission" : "--experimental-permission";
  return [
    permission,
    "--allow-worker",
    ...readable.map((pattern) => `--allow-fs-read=${pattern}`),
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    path,
  ];
}

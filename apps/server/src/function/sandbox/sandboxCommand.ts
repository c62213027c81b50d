import { randomInt } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface SandboxCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** What the process keeps that it should not have; none where it is shut in as it should be. */
  readonly keeps: readonly Kept[];
}

type Kept = "the network" | "the rights of root" | "rights that programs may bring";

/** Who owns nothing on a machine. */
const nobody = 65_534;
/** Users that no system gives out: one for each process, so that none can touch another. */
const ownUsers = { first: 2 ** 30, count: 2 ** 30 - 1 } as const;

/**
 * Ways to start the sandbox process, the strictest first. All of them keep Node from writing, from starting programs
 * and from reading more than its own code; on Linux there may be more: no network, no files to write, no rights.
 */
export function sandboxCommands(
  script: URL,
  platform: NodeJS.Platform = process.platform,
  isRoot: boolean = process.getuid?.() === 0,
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
  // Whose only rights are those of the new namespace loses these as well.
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
    // Where a thread reads how long it has computed.
    "/proc/*",
  ];
  // Renamed when it became stable; Node.js 20 knows the first name only.
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

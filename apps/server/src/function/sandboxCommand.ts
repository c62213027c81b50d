import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface SandboxCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** Who owns nothing on a machine. */
const nobody = 65_534;

/**
 * Ways to start the sandbox process, the strictest first. All of them keep Node from writing, from starting programs
 * and from reading more than its own code; on Linux there may be more: no network, no files to write, no rights.
 */
export function sandboxCommands(script: URL): SandboxCommand[] {
  const node: SandboxCommand = { program: process.execPath, args: nodeArguments(script) };
  if (process.platform !== "linux") return [node];
  const isRoot = process.getuid?.() === 0;
  const alone = ["unshare", "--net", ...(isRoot ? [] : ["--map-root-user"]), "--"];
  const bounded = ["prlimit", "--fsize=0", "--core=0", "--nofile=64", "--"];
  const poor = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
  const ways = [
    ...(isRoot ? [[...alone, ...bounded, ...poor, "--no-new-privs", "--"]] : []),
    [...alone, ...bounded],
    bounded,
    [],
  ];
  return ways.map((way) => {
    const [program = "", ...args] = [...way, node.program, ...node.args];
    return { program, args };
  });
}

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

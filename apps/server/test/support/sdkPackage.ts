import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A project outside of the repository with the SDK as npm would install it. */
export interface SdkProject {
  readonly folder: string;
  /** Paths of the files in the package. */
  readonly files: readonly string[];
  write(name: string, text: string): Promise<void>;
  /** Runs a program of the repository's node_modules, or a file of the project; what it printed. */
  run(program: string, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** `links`: packages beside the SDK, as they are in the repository. */
export async function createSdkProject(links: readonly string[]): Promise<SdkProject> {
  const folder = await mkdtemp(join(tmpdir(), "hadal-sdk-"));
  const pack = ["pack", "--json", "--pack-destination", folder, "-w", "@hadal/sdk"];
  const { stdout } = await run("npm", pack, { cwd: root });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  await run("tar", ["-xzf", packed.filename], { cwd: folder });
  const installed = join(folder, "node_modules/@hadal/sdk");
  await mkdir(dirname(installed), { recursive: true });
  await rename(join(folder, "package"), installed);
  for (const name of links) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, "node_modules", name), link);
  }
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  return {
    folder,
    files: packed.files.map(({ path }) => path),
    write: (name, text) => writeFile(join(folder, name), text),
    async run(program, ...args) {
      const path = program.includes("/") ? join(root, "node_modules", program) : program;
      try {
        return (await run(process.execPath, [path, ...args], { cwd: folder })).stdout;
      } catch (error) {
        const { stdout: out, stderr: err } = error as { stdout?: string; stderr?: string };
        throw new Error(`${program} ${args.join(" ")} failed:\n${out}${err}`);
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

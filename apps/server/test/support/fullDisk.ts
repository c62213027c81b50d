import { execFile } from "node:child_process";
import { mkdir, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { descendantsOf } from "./processTree.js";

const run = promisify(execFile);
const bytes = 64 * 2 ** 20;

/** A folder on a disk that can be filled. */
export interface LimitedFolder {
  /** Processes of this one that write into the folder get an error from now on. */
  fill(parentPid: number): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** A disk of its own where the system gives one, as it does to root; else a limit for processes. */
export async function limitedFolder(path: string): Promise<LimitedFolder> {
  await mkdir(path, { recursive: true });
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path]);
  } catch {
    return limitOfProcesses(path);
  }
  const filler = join(path, "filler");
  return {
    async fill() {
      const file = await open(filler, "w");
      for (let room = 1; room > 0; ) {
        const { bavail, bsize } = await statfs(path);
        room = bavail * bsize;
        await file.write(Buffer.alloc(Math.min(room, 2 ** 20)));
      }
      await file.close();
    },
    free: () => rm(filler),
    async remove() {
      await run("umount", ["--lazy", path]);
    },
  };
}

/** No file of the processes that have one open in the folder may grow. */
function limitOfProcesses(path: string): LimitedFolder {
  let limited: readonly number[] = [];
  const limit = (size: string): Promise<unknown> =>
    Promise.all(limited.map((pid) => run("prlimit", ["--pid", String(pid), `--fsize=${size}:`])));
  return {
    async fill(parentPid) {
      const all = await descendantsOf(parentPid);
      const commands = await Promise.all(
        all.map((pid) => run("ps", ["-o", "args=", "-p", `${pid}`])),
      );
      limited = all.filter((_, i) => commands[i]?.stdout.includes(path));
      await limit("1");
    },
    free: () => limit("unlimited").then(() => undefined),
    async remove() {},
  };
}

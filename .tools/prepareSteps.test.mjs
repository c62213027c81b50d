import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { at } from "./lib/paths.mjs";

// The tools find the repository by where they lie: a copy in an empty folder has that folder as its
// own.
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hadal-tools-"));
  cpSync(at(".tools"), join(folder, ".tools"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = (path) => import(pathToFileURL(join(folder, ".tools/lib", path)).href);

function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const later = (path, seconds) => {
  const time = new Date(Date.now() + seconds * 1_000);
  utimesSync(join(folder, path), time, time);
};

describe("stamps", () => {
  const target = { name: "thing", inputs: ["src", "one.json"], outputs: ["out.js"] };

  it("are fresh after a build, stale after an edit, a new file, a lost output", async () => {
    const { isFresh, snapshot } = await load("stamp.mjs");
    write("src/a.ts", "a");
    write("one.json", "{}");
    expect(isFresh(target)).toBe(false);
    const build = () => {
      const inputs = snapshot(target);
      write("out.js", "built");
      inputs.keep();
    };
    build();
    expect(isFresh(target)).toBe(true);
    write("src/a.ts", "b");
    expect(isFresh(target)).toBe(false);
    build();
    write("src/deep/new.ts", "n");
    expect(isFresh(target)).toBe(false);
    build();
    rmSync(join(folder, "out.js"));
    expect(isFresh(target)).toBe(false);
  });

  it("ignore a touched file and a test", async () => {
    const { isFresh, snapshot } = await load("stamp.mjs");
    write("src/a.ts", "a");
    write("out.js", "built");
    snapshot(target).keep();
    later("src/a.ts", 60);
    write("src/a.test.ts", "t");
    expect(isFresh(target)).toBe(true);
  });

  it("see an edit that came during the build", async () => {
    const { isFresh, snapshot } = await load("stamp.mjs");
    write("src/a.ts", "a");
    write("out.js", "built");
    const inputs = snapshot(target);
    write("src/a.ts", "changed");
    inputs.keep();
    expect(isFresh(target)).toBe(false);
  });
});

describe("installed packages", () => {
  it("are up to date unless the lock file's content changed after the installation", async () => {
    const { isInstalled } = await load("install.mjs");
    const { snapshot } = await load("stamp.mjs");
    write("package-lock.json", "{}");
    expect(isInstalled()).toBe(false);
    write("node_modules/.package-lock.json", "{}");
    later("node_modules/.package-lock.json", 1);
    expect(isInstalled()).toBe(true);
    snapshot({ name: "install", inputs: ["package-lock.json"] }).keep();
    later("package-lock.json", 60);
    expect(isInstalled()).toBe(true);
    write("package-lock.json", '{"changed":true}');
    later("package-lock.json", 60);
    expect(isInstalled()).toBe(false);
  });
});

describe("the lock", () => {
  const holder = `
    import { withLock } from "./.tools/lib/lock.mjs";
    import { appendFileSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    await withLock(async () => {
      appendFileSync("log", "in ");
      await sleep(150);
      appendFileSync("log", "out ");
    });`;
  const lockFile = () => join(folder, ".cache/prepare.lock");

  const hold = () =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ["holder.mjs"], { cwd: folder, stdio: "ignore" });
      child.on("close", resolve);
    });

  it("lets one in at a time and is gone afterwards", async () => {
    write("holder.mjs", holder);
    const codes = await Promise.all([hold(), hold(), hold()]);
    expect(codes).toEqual([0, 0, 0]);
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("in out in out in out ");
    expect(existsSync(lockFile())).toBe(false);
  });

  it("is taken over from owners that died, by one of several at a time", async () => {
    write("holder.mjs", holder);
    const dead = execFileSync(process.execPath, ["-p", "process.pid"]).toString().trim();
    write(".cache/prepare.lock", dead);
    await Promise.all([hold(), hold()]);
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("in out in out ");
  });
});

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cache } from "./paths.mjs";
import { StepError, say } from "./run.mjs";

const lockFile = join(cache, "prepare.lock");
const pollMs = 100;

/**
 * Runs `work` while no other tool installs or builds in this folder; a lock whose owner died is
 * taken over.
 */
export async function withLock(work) {
  await takeLock();
  const release = () => rmSync(lockFile, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    release();
    process.removeListener("exit", release);
  }
}

async function takeLock() {
  for (let waits = 0; !tryLock(); waits++) {
    const owner = readOwner(lockFile);
    if (owner !== undefined && !isAlive(owner)) {
      removeDeadLock(owner);
      continue;
    }
    if (waits === 0) say(`another hadal tool (process ${owner}) is preparing; waiting for it`);
    await sleep(pollMs);
  }
}

/** Linked into place, not written: a lock that can be read always has its owner in it. */
function tryLock() {
  const mine = `${lockFile}.${process.pid}`;
  try {
    mkdirSync(cache, { recursive: true });
    writeFileSync(mine, String(process.pid));
    linkSync(mine, lockFile);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw new StepError(`cannot write in ${cache}: ${error.message}`);
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Moved away first: of several waiters one moves it, and one that moved a newer lock puts it back.
 */
function removeDeadLock(owner) {
  const moved = `${lockFile}.dead.${process.pid}`;
  try {
    renameSync(lockFile, moved);
    if (readOwner(moved) !== owner) linkSync(moved, lockFile);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

function readOwner(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

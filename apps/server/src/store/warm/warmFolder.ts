import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { freemem, userInfo } from "node:os";
import { join } from "node:path";

/** Where files are in memory, and stay there when their process ends. */
const sharedMemory = "/dev/shm";
/** Raised with every change of how rows lie in the leaf's memory, or of these files. */
const imageVersion = 1;
const markName = "valid.json";
/** Left to everything else on the machine. */
const spareBytes = 2 ** 30;

/** What the mark says of the whole image. */
interface Mark {
  readonly version: number;
  /** Of the leaf's folder: its rows are of the same leaf. */
  readonly folderId: string;
}

/** The folder in shared memory for the image of one leaf's rows. */
export class WarmFolder {
  readonly path: string;

  /** `base`: where there is shared memory. */
  constructor(dataFolder: string, base = sharedMemory) {
    const name = createHash("sha256").update(realpathSync(dataFolder)).digest("hex").slice(0, 16);
    this.path = join(base, `hadal-${userInfo().uid}-${name}`);
  }

  /** Empties it for a new image; it counts from `finish` on. Throws where there is no shared memory. */
  begin(): void {
    rmSync(this.path, { recursive: true, force: true });
    mkdirSync(this.path, { mode: 0o700 });
  }

  finish(folderId: string): void {
    const mark: Mark = { version: imageVersion, folderId };
    writeFileSync(join(this.path, markName), JSON.stringify(mark), { mode: 0o600 });
  }

  /** Bytes that an image may take now. */
  get room(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return Math.max(0, Math.min(bavail * bsize, freemem()) - spareBytes);
  }

  /**
   * Whether it has an image of this leaf, which no other start will read: its mark is gone from here
   * on, before anything is read. Throws with the reason where there is one that is not to be trusted.
   */
  take(folderId: string): boolean {
    const found = lstatSync(this.path, { throwIfNoEntry: false });
    if (found === undefined) return false;
    const isOwn = found.isDirectory() && found.uid === userInfo().uid;
    if (!isOwn || (found.mode & 0o077) !== 0) throw new Error("others may write to it");
    const path = join(this.path, markName);
    const text = readFileSync(path, "utf8");
    rmSync(path);
    const { version, ...mark } = JSON.parse(text) as Mark;
    if (version !== imageVersion)
      throw new Error(`it has version ${version}, expected ${imageVersion}`);
    if (mark.folderId !== folderId) throw new Error("it is of another leaf");
    return true;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

import type { SimProcess } from "./simProcess.js";
import type { Timeline } from "./timeline.js";

/** A change of a file that is in the system's memory and not on the disk. */
type FileChange =
  | { readonly kind: "write"; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: "truncate"; readonly length: number };

type FolderChange =
  | { readonly kind: "link"; readonly name: string; readonly node: Node }
  | { readonly kind: "unlink"; readonly name: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string; readonly node: Node };

export class FileNode {
  readonly kind = "file";
  /** As processes see it. */
  bytes: Uint8Array = new Uint8Array(0);
  /** As it is after a loss of power, with some of `pending`. */
  durable: Uint8Array = new Uint8Array(0);
  pending: FileChange[] = [];
  lockedBy: SimProcess | null = null;

  change(change: FileChange): void {
    this.bytes = changed(this.bytes, change);
    this.pending.push(change);
  }
}

export class FolderNode {
  readonly kind = "folder";
  entries = new Map<string, Node>();
  durable = new Map<string, Node>();
  pending: FolderChange[] = [];

  change(change: FolderChange): void {
    applyTo(this.entries, change);
    this.pending.push(change);
  }
}

export type Node = FileNode | FolderNode;

interface Trap {
  readonly folder: string;
  left: number;
  /** It counts records that are written to logs alone, and springs before they are synced. */
  readonly isForLogs: boolean;
  readonly spring: () => void;
}

/** The unit in which a disk loses what was not synced. */
const pageBytes = 4_096;
const keptChance = 0.5;

/**
 * The disks of all machines. A write is seen by all processes at once, and survives a loss of power
 * once its file, and the folder with its name, are synced; without that chance decides, page by
 * page.
 */
export class Disk {
  readonly root = new FolderNode();
  /** What takes place on the next operation of that kind below a folder. */
  readonly faults: { readonly folder: string; readonly operation: string; code: string }[] = [];
  /** What happens right after some writes, changes of names and syncs below a folder. */
  readonly traps: Trap[] = [];
  /** Whether an operation has failed. */
  hasFailed = false;
  readonly #world: Timeline;
  /** Changes that processes have begun. */
  readonly #begun = new Map<SimProcess, Set<() => unknown>>();

  constructor(world: Timeline) {
    this.#world = world;
  }

  /** Does `work` after the time that a disk takes. */
  operate<Value>(operation: string, path: string, work: () => Value): Promise<Value> {
    const world = this.#world;
    const owner = world.current;
    return new Promise((resolve, reject) => {
      const begun = this.#begunBy(owner);
      const finish = (): void => {
        begun.delete(work);
        const fault = this.#faultOf(operation, path);
        try {
          if (fault !== null) throw fault;
          resolve(work());
          if (operation !== "read") this.#spring(operation, path);
        } catch (error) {
          reject(error);
        }
      };
      if (operation !== "read") begun.add(work);
      const isSync = operation === "sync";
      world.after(isSync ? world.delayMs(0.3, 25) : world.delayMs(0.02, 0.6), finish, owner);
    });
  }

  /** Of what an ended process had begun, some is done; it never hears of it. */
  endWrites(process: SimProcess): void {
    const begun = this.#begun.get(process);
    this.#begun.delete(process);
    for (const work of begun ?? []) {
      if (!this.#world.random.chance(keptChance)) continue;
      try {
        work();
      } catch {
        // As in the process: it failed, and changed nothing.
      }
    }
    this.#unlock(process, this.root);
  }

  /** Loses what was not synced below a folder. */
  losePower(path: string): void {
    const node = this.find(path);
    if (node !== undefined) this.#fallBack(node);
  }

  /** Nothing is left below a folder. */
  wipe(path: string): void {
    const { folder, name } = this.parentOf(path, "wipe");
    folder.change({ kind: "unlink", name });
    sync(folder);
    this.makeFolder(path, "durable");
  }

  find(path: string): Node | undefined {
    let node: Node | undefined = this.root;
    for (const name of partsOf(path)) {
      if (node?.kind !== "folder") return undefined;
      node = node.entries.get(name);
    }
    return node;
  }

  /** The folder that has, or may get, this name. */
  parentOf(path: string, syscall: string): { readonly folder: FolderNode; readonly name: string } {
    const parts = partsOf(path);
    const name = parts.pop() ?? "";
    const folder = this.find(`/${parts.join("/")}`);
    if (folder?.kind !== "folder") throw systemError("ENOENT", syscall, path);
    return { folder, name };
  }

  file(path: string, syscall: string): FileNode {
    const node = this.find(path);
    if (node === undefined) throw systemError("ENOENT", syscall, path);
    if (node.kind === "folder") throw systemError("EISDIR", syscall, path);
    return node;
  }

  folder(path: string, syscall: string): FolderNode {
    const node = this.find(path);
    if (node === undefined) throw systemError("ENOENT", syscall, path);
    if (node.kind === "file") throw systemError("ENOTDIR", syscall, path);
    return node;
  }

  /** Returns the first folder that was not there. */
  makeFolder(path: string, isDurable: "durable" | "pending" = "pending"): string | undefined {
    let folder = this.root;
    let first: string | undefined;
    let above = "";
    for (const name of partsOf(path)) {
      above += `/${name}`;
      let next: Node | undefined = folder.entries.get(name);
      if (next === undefined) {
        next = new FolderNode();
        folder.change({ kind: "link", name, node: next });
        if (isDurable === "durable") sync(folder);
        first ??= above;
      }
      if (next.kind === "file") throw systemError("ENOTDIR", "mkdir", path);
      folder = next;
    }
    return first;
  }

  #begunBy(process: SimProcess): Set<() => unknown> {
    let begun = this.#begun.get(process);
    if (begun === undefined) {
      begun = new Set();
      this.#begun.set(process, begun);
    }
    return begun;
  }

  #faultOf(operation: string, path: string): Error | null {
    const at = this.faults.findIndex(
      (fault) => fault.operation === operation && path.startsWith(fault.folder),
    );
    if (at < 0) return null;
    const [fault] = this.faults.splice(at, 1);
    this.hasFailed = true;
    this.#world.trace(() => `${operation} of ${path} fails: ${fault!.code}`);
    return systemError(fault!.code, operation, path);
  }

  /** Ends its process before that hears of the change. */
  #spring(operation: string, path: string): void {
    const isOfLog = operation === "write" && path.endsWith(".hdl");
    for (const trap of [...this.traps]) {
      if (!path.startsWith(trap.folder) || (trap.isForLogs && !isOfLog)) continue;
      if (--trap.left > 0) continue;
      this.traps.splice(this.traps.indexOf(trap), 1);
      trap.spring();
    }
  }

  #unlock(process: SimProcess, node: Node): void {
    if (node.kind === "file") {
      if (node.lockedBy === process) node.lockedBy = null;
      return;
    }
    for (const child of node.entries.values()) this.#unlock(process, child);
  }

  #fallBack(node: Node): void {
    const { random } = this.#world;
    if (node.kind === "folder") {
      // File systems order changes of names in their journal: some of the last are lost.
      const kept = random.int(0, node.pending.length);
      for (const change of node.pending.slice(0, kept)) applyTo(node.durable, change);
      node.pending = [];
      node.entries = new Map(node.durable);
      for (const child of node.entries.values()) this.#fallBack(child);
      return;
    }
    for (const change of node.pending) {
      if (change.kind === "truncate") {
        if (random.chance(keptChance)) node.durable = changed(node.durable, change);
        continue;
      }
      for (const page of pagesOf(change)) {
        const torn = random.int(0, page.bytes.length);
        const kept = random.pick([0, torn, torn, torn, page.bytes.length]);
        // Where the length of the file is on the disk already, there are zeros behind.
        const bytes = random.chance(0.5)
          ? zerosFrom(page.bytes, kept)
          : page.bytes.subarray(0, kept);
        if (bytes.length > 0) node.durable = changed(node.durable, { ...page, bytes });
      }
    }
    node.pending = [];
    node.bytes = node.durable.slice();
    node.lockedBy = null;
  }
}

/** What is in the system's memory reaches the disk. */
export function sync(node: Node): void {
  if (node.kind === "file") {
    node.durable = node.bytes.slice();
    node.pending = [];
    return;
  }
  node.durable = new Map(node.entries);
  node.pending = [];
}

export function systemError(code: string, syscall: string, path: string): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(`${code}: ${syscall} '${path}'`);
  error.code = code;
  error.syscall = syscall;
  error.path = path;
  return error;
}

const partsOf = (path: string): string[] =>
  path.split("/").filter((part) => part !== "" && part !== ".");

function* pagesOf({ at, bytes }: Extract<FileChange, { kind: "write" }>) {
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + pageBytes - ((at + from) % pageBytes));
    yield { kind: "write", at: at + from, bytes: bytes.subarray(from, to) } as const;
    from = to;
  }
}

function zerosFrom(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  return copy.fill(0, at);
}

function changed(bytes: Uint8Array, change: FileChange): Uint8Array {
  if (change.kind === "truncate") {
    if (change.length <= bytes.length) return bytes.slice(0, change.length);
    const longer = new Uint8Array(change.length);
    longer.set(bytes);
    return longer;
  }
  const end = change.at + change.bytes.length;
  const next = end > bytes.length ? new Uint8Array(end) : bytes;
  if (next !== bytes) next.set(bytes);
  next.set(change.bytes, change.at);
  return next;
}

function applyTo(entries: Map<string, Node>, change: FolderChange): void {
  if (change.kind === "link") entries.set(change.name, change.node);
  else if (change.kind === "unlink") entries.delete(change.name);
  else {
    entries.delete(change.from);
    entries.set(change.to, change.node);
  }
}

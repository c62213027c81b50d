import { FileNode, type Node, sync, systemError } from "../world/disk.js";
import { world } from "../world/world.js";

/** `node:fs/promises` on the simulated disks: what the program calls of it. */

const pathOf = (path: string | URL): string => (path instanceof URL ? path.pathname : path);

let descriptor = 10;
const open_ = new Map<number, FileHandle>();

/** For locks: the file that a descriptor stands for. */
export function fileOf(fd: number): FileNode {
  const file = open_.get(fd)?.node;
  if (file?.kind !== "file") throw systemError("EBADF", "lock", String(fd));
  return file;
}

export class FileHandle {
  readonly fd = ++descriptor;
  #at: number;

  constructor(
    readonly path: string,
    readonly node: Node,
    isAppending: boolean,
  ) {
    open_.set(this.fd, this);
    const { current } = world();
    current.onEnd.add(() => open_.delete(this.fd));
    this.#at = isAppending && node.kind === "file" ? node.bytes.length : 0;
  }

  async write(
    bytes: Uint8Array | string,
    from = 0,
    length = bytes.length - from,
    at: number | null = null,
  ): Promise<{ bytesWritten: number }> {
    const all = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    const copy = Uint8Array.prototype.slice.call(all, from, from + length);
    await world().disk.operate("write", this.path, () => {
      this.#file.change({ kind: "write", at: at ?? this.#at, bytes: copy });
      if (at === null) this.#at += copy.length;
    });
    return { bytesWritten: copy.length };
  }

  async writeFile(bytes: Uint8Array | string): Promise<void> {
    if (bytes.length > 0) await this.write(bytes);
  }

  async read(
    buffer: Uint8Array,
    offset = 0,
    length = buffer.length - offset,
    at: number | null = null,
  ): Promise<{ buffer: Uint8Array; bytesRead: number }> {
    const bytesRead = await world().disk.operate("read", this.path, () => {
      const from = at ?? this.#at;
      const part = this.#file.bytes.subarray(from, from + length);
      buffer.set(part, offset);
      if (at === null) this.#at += part.length;
      return part.length;
    });
    return { buffer, bytesRead };
  }

  truncate(length = 0): Promise<void> {
    const change = (): void => this.#file.change({ kind: "truncate", length });
    return world().disk.operate("write", this.path, change);
  }

  stat(): Promise<FileStat> {
    return world().disk.operate("read", this.path, () => statOf(this.node));
  }

  sync(): Promise<void> {
    return world().disk.operate("sync", this.path, () => sync(this.node));
  }

  datasync(): Promise<void> {
    return this.sync();
  }

  async close(): Promise<void> {
    const file = open_.get(this.fd)?.node;
    open_.delete(this.fd);
    if (file?.kind === "file" && file.lockedBy === world().current) file.lockedBy = null;
  }

  get #file(): FileNode {
    if (!open_.has(this.fd)) throw systemError("EBADF", "write", this.path);
    if (this.node.kind === "folder") throw systemError("EISDIR", "write", this.path);
    return this.node;
  }
}

export function open(path: string | URL, flags = "r"): Promise<FileHandle> {
  const name = pathOf(path);
  const { disk } = world();
  return disk.operate(flags === "r" || flags === "r+" ? "read" : "name", name, () => {
    const known = disk.find(name);
    if (known !== undefined && flags === "wx") throw systemError("EEXIST", "open", name);
    if (flags.startsWith("r") || known?.kind === "folder") {
      if (known === undefined) throw systemError("ENOENT", "open", name);
      return new FileHandle(name, known, false);
    }
    const file = known ?? new FileNode();
    if (known === undefined) {
      const parent = disk.parentOf(name, "open");
      parent.folder.change({ kind: "link", name: parent.name, node: file });
    } else if (flags === "w" && known.bytes.length > 0) {
      known.change({ kind: "truncate", length: 0 });
    }
    return new FileHandle(name, file, flags.startsWith("a"));
  });
}

export async function readFile(path: string | URL, options?: unknown): Promise<Buffer | string> {
  const name = pathOf(path);
  const { disk } = world();
  const bytes = await disk.operate("read", name, () => disk.file(name, "open").bytes.slice());
  const encoding = typeof options === "string" ? options : undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding === undefined ? buffer : buffer.toString(encoding as BufferEncoding);
}

export async function writeFile(path: string, bytes: Uint8Array | string): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
}

/** Recursive: resolves with the first folder that was made. */
export function mkdir(
  path: string,
  { recursive = false }: { recursive?: boolean } = {},
): Promise<string | undefined> {
  const { disk } = world();
  return disk.operate("name", path, () => {
    if (recursive) return disk.makeFolder(path);
    if (disk.find(path) !== undefined) throw systemError("EEXIST", "mkdir", path);
    disk.parentOf(path, "mkdir");
    return disk.makeFolder(path);
  });
}

interface Entry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

export function readdir(
  path: string,
  options: { withFileTypes?: boolean } = {},
): Promise<(string | Entry)[]> {
  const { disk } = world();
  return disk.operate("read", path, () =>
    [...disk.folder(path, "scandir").entries].map(([name, node]) =>
      options.withFileTypes === true
        ? { name, isFile: () => node.kind === "file", isDirectory: () => node.kind === "folder" }
        : name,
    ),
  );
}

export function rename(from: string, to: string): Promise<void> {
  const { disk } = world();
  return disk.operate("name", from, () => {
    const old = disk.parentOf(from, "rename");
    const next = disk.parentOf(to, "rename");
    const node = old.folder.entries.get(old.name);
    if (node === undefined) throw systemError("ENOENT", "rename", from);
    if (old.folder !== next.folder) throw systemError("EXDEV", "rename", from);
    old.folder.change({ kind: "rename", from: old.name, to: next.name, node });
  });
}

export function unlink(path: string): Promise<void> {
  const { disk } = world();
  return disk.operate("name", path, () => {
    const { folder, name } = disk.parentOf(path, "unlink");
    if (!folder.entries.has(name)) throw systemError("ENOENT", "unlink", path);
    folder.change({ kind: "unlink", name });
  });
}

/** A folder goes with all that is in it. */
export function rm(
  path: string,
  { force = false }: { recursive?: boolean; force?: boolean } = {},
): Promise<void> {
  const { disk } = world();
  return disk.operate("name", path, () => {
    const parent = disk.find(path.slice(0, path.lastIndexOf("/")));
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (parent?.kind !== "folder" || !parent.entries.has(name)) {
      if (force) return;
      throw systemError("ENOENT", "rm", path);
    }
    parent.change({ kind: "unlink", name });
  });
}

export async function copyFile(from: string, to: string): Promise<void> {
  await writeFile(to, (await readFile(from)) as Buffer);
}

export async function stat(path: string): Promise<FileStat> {
  const { disk } = world();
  return disk.operate("read", path, () => {
    const node = disk.find(path);
    if (node === undefined) throw systemError("ENOENT", "stat", path);
    return statOf(node);
  });
}

type FileStat = ReturnType<typeof statOf>;

function statOf(node: Node) {
  return {
    ...{ dev: 1, ino: numberOf(node), mtimeMs: 0 },
    size: node.kind === "file" ? node.bytes.length : 0,
    isFile: () => node.kind === "file",
    isDirectory: () => node.kind === "folder",
  };
}

const numbers = new WeakMap<Node, number>();
let lastNumber = 0;

/** No two files have the same. */
function numberOf(node: Node): number {
  const known = numbers.get(node) ?? ++lastNumber;
  numbers.set(node, known);
  return known;
}

export async function access(path: string): Promise<void> {
  await stat(path);
}

export async function chmod(): Promise<void> {
  // The simulated disks have no rights.
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRegistry } from "../openRegistry.js";
import type { Registry } from "../registry.js";

/** A data folder for one test, whose registry can be opened by several processes' worth of registries. */
export interface RegistryFolder {
  readonly path: string;
  readonly warnings: readonly string[];
  open(): Promise<Registry>;
  /** Closes what is open. */
  close(): Promise<void>;
  /** Closes what is open and removes the folder. */
  remove(): Promise<void>;
}

/** `databaseUrl`: of a PostgreSQL; left out: SQLite in the folder. */
export async function registryFolder(databaseUrl: string | null = null): Promise<RegistryFolder> {
  const path = await mkdtemp(join(tmpdir(), "hadal-registry-"));
  const opened: Registry[] = [];
  const warnings: string[] = [];
  const close = async (): Promise<void> => {
    for (const registry of opened.splice(0)) await registry.close();
  };
  return {
    close,
    path,
    warnings,
    async open() {
      const warn = (text: string): void => void warnings.push(text);
      const registry = await openRegistry({ dataDir: path, databaseUrl, warn });
      opened.push(registry);
      return registry;
    },
    async remove() {
      await close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

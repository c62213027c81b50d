import type { RegistryArea } from "../../registry/database/areas.js";
import type { RegistryDatabase } from "../../registry/database/database.js";
import type { Registry } from "../../registry/registry.js";

export interface WatchedArea<Value, Known> {
  readonly area: RegistryArea;
  readonly read: (database: RegistryDatabase) => Promise<Value>;
  /** What requests need of it. */
  readonly use: (value: Value) => Known;
  readonly onChange: () => void;
}

/** A copy in memory of one area: requests are checked without a query, also while the registry is away. */
export class Watched<Known> {
  readonly #registry: Registry;
  #read: { readonly known: Known } | null = null;

  private constructor(registry: Registry) {
    this.#registry = registry;
  }

  static async open<Value, Known>(
    registry: Registry,
    { area, read, use, onChange }: WatchedArea<Value, Known>,
  ): Promise<Watched<Known>> {
    const watched = new Watched<Known>(registry);
    await registry.watch<Value>(area, {
      read,
      use: (value) => {
        watched.#read = { known: use(value) };
        onChange();
      },
    });
    return watched;
  }

  /** Throws `registry-unavailable` where it was never read. */
  get known(): Known {
    if (this.#read === null) throw this.#registry.unavailable();
    return this.#read.known;
  }
}

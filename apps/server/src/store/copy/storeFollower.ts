import type {
  CopySource,
  HeldLog,
  SourceState,
  StateRequest,
  TableShape,
} from "../../base/copy/copySource.js";
import { OtherVersion } from "../../base/file/otherVersion.js";
import { systemErrorText } from "../../base/file/systemErrorText.js";
import { isRoomMissing } from "../columns/storageProblems.js";
import type { LeafStore } from "../leaf/leafStore.js";
import { copyTable } from "./copyTable.js";

/** A table that fails so often in a row is deleted here, and copied from the start. */
const failuresMax = 5;
/** A copy asks again after this time where nothing has changed. */
const waitMs = 1_000;
const retryMs = 200;
/** While rows come, a copy is always a few milliseconds behind; what it lacks is counted as missing. */
const behindMsMax = 5_000;

export interface FollowerOptions {
  readonly store: LeafStore;
  readonly source: CopySource;
  /** This copy, among those of the source. */
  readonly holder: string;
  /** Throws where the copy has rows of another folder. Called before the first of its rows is taken. */
  readonly onFolder: (folderId: string) => Promise<void>;
  /** The copy has all rows, with all removals that were planned so far: how many, see LeafFolder. */
  readonly onWhole: (removals: number | null) => Promise<void>;
  readonly warn: (text: string) => void;
}

interface FollowedTable {
  shape: TableShape;
  isWhole: boolean;
  failures: number;
  isLogChecked: boolean;
  /** Why it is not whole; null: it is on its way. */
  problem: string | null;
}

/** Keeps the tables of a leaf as those of another leaf are: the source has rows, the copy gets them. */
export class StoreFollower {
  readonly #options: FollowerOptions;
  readonly #tables = new Map<string, FollowedTable>();
  #known: StateRequest["known"] = null;
  #unsent = new Map<string, HeldLog>();
  #wholeMs: number | null = null;
  /** When it last asked its source and was answered. */
  #heardMs = 0;
  /** Why no table goes on. */
  #problem: string | null = null;
  #lastWarning = "";
  #isClosed = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when nothing is written any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  /** How long ago the copy had all that the source had, ms; null: it has never had all. */
  get lagMs(): number | null {
    return this.#wholeMs === null ? null : performance.now() - this.#wholeMs;
  }

  /** Whether the copy had all that its source had when it asked last. */
  get hasAll(): boolean {
    return this.#wholeMs !== null && this.#areAllWhole;
  }

  /** Why the copy does not go on; null: it does, or its source is away. */
  get problem(): string | null {
    const ofTables = [...this.#tables.values()].flatMap(({ problem }) => problem ?? []);
    return this.#problem ?? ofTables[0] ?? null;
  }

  /**
   * Whether queries may ask the copy instead of its source: when it last heard from it, the copy
   * had all, or was so little behind that it may not matter. A source that is lost does not change it.
   */
  get isWhole(): boolean {
    if (this.#wholeMs === null) return false;
    return this.#areAllWhole || this.#heardMs - this.#wholeMs <= behindMsMax;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.round(waitMs);
        this.#problem = null;
      } catch (error) {
        // A source that is away is the supervisor's news.
        if (!isConnection(error)) {
          this.#warn(`the copy could not go on: ${String(error)}`);
          this.#problem = textOf(error);
        }
        await pause(retryMs);
      }
    }
  }

  /** One question to the source, and what follows from its answer. */
  async round(waitMsMax: number): Promise<void> {
    const { store, source, holder, onFolder, onWhole } = this.#options;
    const held = [...this.#unsent.values()];
    const askedMs = performance.now();
    const state = await source.state({
      ...{ holder, known: this.#known, held },
      waitMs: this.#areAllWhole ? waitMsMax : Math.min(retryMs, waitMsMax),
    });
    this.#heardMs = askedMs;
    await onFolder(state.folderId);
    for (const sent of held)
      if (this.#unsent.get(sent.table) === sent) this.#unsent.delete(sent.table);
    // Before the logs: those that the source has sealed are sealed here, too.
    await store.units.adopt(state.units ?? []);
    await this.#note(state);
    for (const [name, table] of this.#tables) {
      if (this.#isClosed) return;
      if (!table.isWhole) await this.#follow(name, table);
    }
    if (!this.#areAllWhole) return;
    await onWhole(state.removals ?? null);
    this.#wholeMs = askedMs;
  }

  get #areAllWhole(): boolean {
    return [...this.#tables.values()].every(({ isWhole }) => isWhole);
  }

  /** What repeats itself is said once. */
  #warn(text: string): void {
    if (text !== this.#lastWarning) this.#options.warn(text);
    this.#lastWarning = text;
  }

  async #note({ runId, version, tables, names }: SourceState): Promise<void> {
    const { store } = this.#options;
    if (this.#known?.runId !== runId) {
      this.#tables.clear();
      this.#unsent.clear();
    }
    for (const shape of tables) {
      const known = this.#tables.get(shape.name);
      const { failures = 0, isLogChecked = false, problem = null } = known ?? {};
      this.#tables.set(shape.name, { shape, isWhole: false, failures, isLogChecked, problem });
    }
    if (names !== null) {
      const there = new Set(names);
      const gone = [...store.tables].filter(({ name }) => !there.has(name));
      for (const { name } of gone) {
        this.#tables.delete(name);
        await store.drop(name, null);
      }
    }
    this.#known = { runId, version };
  }

  async #follow(name: string, followed: FollowedTable): Promise<void> {
    const { store, source } = this.#options;
    const { shape, isLogChecked } = followed;
    try {
      if (store.find(name)?.copy.isOfOther(shape) === true) await store.drop(name, null);
      const table = await store.findOrCreate(name);
      followed.isWhole = await copyTable(table, { shape, source, isLogChecked: !isLogChecked });
      followed.isLogChecked = true;
      followed.failures = 0;
      followed.problem = table.copy.isOpenHidden ? "there is no room for its rows in memory" : null;
      this.#unsent.set(name, { table: name, ...table.copy.position });
    } catch (error) {
      if (!isConnection(error)) {
        this.#warn(`the copy of ${name} could not go on: ${String(error)}`);
        followed.problem = textOf(error);
      }
      followed.failures++;
      followed.isLogChecked = false;
      // It would be copied in vain, and what is on the disk would be lost.
      if (isRoomMissing(error) || isConnection(error) || isOfSystem(error)) return;
      if (error instanceof OtherVersion) return;
      if (followed.failures % failuresMax === 0) await store.drop(name, null);
    }
  }
}

const textOf = (error: unknown): string =>
  isRoomMissing(error) ? error.message : systemErrorText(error);

const isConnection = (error: unknown): boolean =>
  (error as { readonly code?: unknown }).code === "connection-lost";

/** Such as a full disk. */
const isOfSystem = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).syscall !== undefined;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

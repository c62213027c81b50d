import { HadalError } from "@hadal/sdk";
import { readDocument, writeDocument } from "../../base/file/documentFile.js";
import type { BatchSender, SenderList } from "../../base/row/batchSender.js";

const name = "the list of gateways that may place rows";
const anyone: SenderList = { version: -1, senders: [] };

/**
 * Keeps out gateways whose place others have taken. A gateway that was frozen, or that does not
 * reach the registry, does not know that: the leaf refuses what it still sends.
 */
export class GatewayFence {
  readonly #path: string;
  #list: SenderList;
  #savedVersion: number;
  #saving: Promise<unknown> = Promise.resolve();
  readonly #running = new Map<Promise<unknown>, BatchSender>();

  private constructor(path: string, list: SenderList) {
    this.#path = path;
    this.#list = list;
    this.#savedVersion = list.version;
  }

  static async open(path: string, warn: (text: string) => void): Promise<GatewayFence> {
    return new GatewayFence(path, (await readDocument(path, { name, check, warn })) ?? anyone);
  }

  /** Does the work of a gateway. No sender: it is the only one. Rejects with `gateway-fenced`. */
  async run<Result>(sender: BatchSender | undefined, work: () => Promise<Result>): Promise<Result> {
    if (sender === undefined) return work();
    this.check(sender);
    const running = work();
    this.#running.set(running, sender);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  check(sender: BatchSender): void {
    if (mayPlace(this.#list, sender)) return;
    const detail = "others have taken its place while it was silent";
    throw new HadalError("gateway-fenced", { detail });
  }

  /**
   * Resolves when the list is on the disk, and nothing is under way any more of gateways that it
   * keeps out. An older list than the present one changes nothing.
   */
  async use(list: SenderList): Promise<void> {
    if (list.version > this.#list.version) this.#list = list;
    await this.#save();
    const refused = [...this.#running].filter(([, sender]) => !mayPlace(this.#list, sender));
    await Promise.allSettled(refused.map(([running]) => running));
  }

  /** One write after the other. */
  #save(): Promise<void> {
    const saved = this.#saving.then(async () => {
      const list = this.#list;
      if (this.#savedVersion >= list.version) return;
      await writeDocument(this.#path, name, list);
      this.#savedVersion = list.version;
    });
    this.#saving = saved.catch(() => undefined);
    return saved;
  }
}

function mayPlace({ version, senders }: SenderList, { gateway, epoch }: BatchSender): boolean {
  return epoch > version || senders.some((one) => one.gateway === gateway && one.epoch === epoch);
}

function check(value: unknown): SenderList {
  const { version, senders } = value as Partial<SenderList>;
  if (typeof version === "number" && Array.isArray(senders)) return { version, senders };
  throw new Error("it names no version");
}

import type { AlertRule, SavedDocument } from "@hadal/sdk";
import { type ChannelSecrets, splitSecrets } from "./rule/channelSecrets.js";

type Documents = ReadonlyMap<string, SavedDocument>;

/** Documents of files, whose rules have their secrets in the file: no answer shows them. */
export class FileRules {
  readonly #files: () => Documents;
  #read: Documents | null = null;
  #shown: Documents = new Map();
  #secrets = new Map<string, ChannelSecrets>();

  constructor(files: () => Documents) {
    this.#files = files;
  }

  /** By id, without secrets; the same object until a file changes. */
  documents(): Documents {
    const files = this.#files();
    if (files !== this.#read) this.#take(files);
    return this.#shown;
  }

  /** Null: the rule is in no file. */
  secretsOf(id: string): ChannelSecrets | null {
    this.documents();
    return this.#secrets.get(id) ?? null;
  }

  #take(files: Documents): void {
    this.#read = files;
    this.#secrets = new Map();
    this.#shown = new Map([...files].map(([id, document]) => [id, this.#withoutSecrets(document)]));
  }

  #withoutSecrets(document: SavedDocument): SavedDocument {
    if (document.kind !== "alert") return document;
    const { channels = [] } = document.body as Partial<AlertRule>;
    // Of a channel whose secret the file lacks the rest is shown; it is not sent to.
    const kept = channels.map((channel) => {
      try {
        return splitSecrets([channel], { channels: [], secrets: {} });
      } catch {
        return { channels: [channel], secrets: {} as ChannelSecrets };
      }
    });
    const secrets = kept.flatMap(({ secrets: own }, i) =>
      Object.values(own).map((secret) => [String(i), secret] as const),
    );
    this.#secrets.set(document.id, Object.fromEntries(secrets));
    const shown = kept.flatMap(({ channels: [channel] }) => channel ?? []);
    return { ...document, body: { ...document.body, channels: shown } };
  }
}

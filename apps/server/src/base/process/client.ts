/** Who sends a request: limits and fair turns go by it. */
export interface Client {
  /** The user or token; null: not known. */
  readonly person: string | null;
  readonly address: string;
  /** As the client states it: it may use any number of names. */
  readonly name?: string;
}

/**
 * A client as one text: person, address and name with spaces between, without what is not known. Turns go by the first
 * of them, then within it by the first two, then by all.
 */
export function clientOf({ person, address, name = "" }: Client): string {
  return [person ?? "", address, name].filter((part) => part !== "").join(" ");
}

/** The person of a client, or its address where the person is not known. */
export function personOfClient(client: string): string {
  const end = client.indexOf(" ");
  return end < 0 ? client : client.slice(0, end);
}

/** Each has turns of its own within those of the one before. */
export type TurnNames = readonly [person: string, address: string, whole: string];

/** The names by which a client has its turns, the widest first. */
export function turnNames(client: string): TurnNames {
  const first = client.indexOf(" ");
  if (first < 0) return [client, client, client];
  const second = client.indexOf(" ", first + 1);
  return [client.slice(0, first), second < 0 ? client : client.slice(0, second), client];
}

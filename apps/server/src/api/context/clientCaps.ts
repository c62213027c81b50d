import type { ClientLimits } from "../../base/limit/clientLimits.js";
import type { UserLimits } from "../../base/limit/userLimits.js";
import { ClientCap, type ClientCapOptions } from "./clientCap.js";
import { limitKeyOf, type Requester } from "./requester.js";

export interface ClientCaps {
  /** Of the server as a whole: it is the only client. */
  readonly allConnections: ClientCap;
  readonly connections: ClientCap;
  readonly queries: RequesterCap;
  readonly subscriptions: RequesterCap;
}

export type CapLimits = ClientLimits & Pick<UserLimits, "userQueries" | "userLiveQueries">;

/** Limits how many of one thing each address and each person have at once. */
export class RequesterCap {
  readonly #ofAddress: ClientCap;
  readonly #ofPerson: ClientCap;

  constructor(ofAddress: Omit<ClientCapOptions, "of">, ofPerson: Omit<ClientCapOptions, "of">) {
    this.#ofAddress = new ClientCap({ ...ofAddress, of: "address" });
    this.#ofPerson = new ClientCap({ ...ofPerson, of: "person" });
  }

  /** Takes one more and returns what gives it back, once. */
  take(requester: Requester): () => void {
    const releases = [this.#ofAddress.take(requester.address)];
    try {
      releases.push(this.#ofPerson.take(limitKeyOf(requester)));
    } catch (error) {
      for (const release of releases) release();
      throw error;
    }
    return () => {
      for (const release of releases) release();
    };
  }
}

export function clientCaps(limits: CapLimits): ClientCaps {
  const { connections, connectionsPerClient, queriesPerClient, subscriptionsPerClient } = limits;
  const { userQueries, userLiveQueries } = limits;
  const what = "connections";
  const queries = "queries";
  const live = "live queries";
  return {
    allConnections: new ClientCap({
      ...{ what, limitName: "connections", max: connections, of: "address" },
    }),
    connections: new ClientCap({
      ...{ what, limitName: "connectionsPerClient", max: connectionsPerClient, of: "address" },
    }),
    queries: new RequesterCap(
      { what: queries, limitName: "queriesPerClient", max: queriesPerClient },
      { what: queries, limitName: "userQueries", max: userQueries },
    ),
    subscriptions: new RequesterCap(
      { what: "subscriptions", limitName: "subscriptionsPerClient", max: subscriptionsPerClient },
      { what: live, limitName: "userLiveQueries", max: userLiveQueries },
    ),
  };
}

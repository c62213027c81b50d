import type { ClientLimits } from "../../base/limit/clientLimits.js";
import { ClientCap } from "./clientCap.js";

export interface ClientCaps {
  /** Of the server as a whole: it is the only client. */
  readonly allConnections: ClientCap;
  readonly connections: ClientCap;
  readonly queries: ClientCap;
  readonly subscriptions: ClientCap;
}

export function clientCaps(limits: ClientLimits): ClientCaps {
  const { connections, connectionsPerClient, queriesPerClient, subscriptionsPerClient } = limits;
  return {
    allConnections: new ClientCap("connections", "connections", connections),
    connections: new ClientCap("connections", "connectionsPerClient", connectionsPerClient),
    queries: new ClientCap("queries", "queriesPerClient", queriesPerClient),
    subscriptions: new ClientCap("subscriptions", "subscriptionsPerClient", subscriptionsPerClient),
  };
}

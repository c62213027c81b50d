import { createEmbeds } from "./embeds.js";
import type { ClientOptions, HadalReader } from "./hadalClient.js";
import { createQueries } from "./queries.js";
import { linkToServer, readStatus } from "./serverLink.js";
import { createTables } from "./tables.js";

/** A client that only asks: a page loads half of the code of `createClient`. Call `close` when done with it. */
export function createReader(options: ClientOptions = {}): HadalReader {
  const { http, socket, session } = linkToServer(options);
  const { values } = createTables(http);
  return {
    ...createQueries(http, socket, session),
    values,
    embeds: createEmbeds(http),
    status: () => readStatus(http),
    close() {
      socket?.close();
    },
  };
}

import type { HadalClient } from "@hadal/sdk";
import { connect } from "./connect.js";

/** Closes the client, whatever comes of the work. */
export async function withClient<Value>(
  url: string,
  work: (client: HadalClient) => Promise<Value>,
): Promise<Value> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

import { type ClientOptions, createClient, type HadalClient } from "@hadal/sdk";
import { savedToken } from "./savedTokens.js";

/** A client of the server, with the token of `HADAL_TOKEN` or of `hadal login`. */
export async function connect(
  url: string,
  options: Pick<ClientOptions, "webSocket"> = {},
): Promise<HadalClient> {
  const token = process.env.HADAL_TOKEN || (await savedToken(url));
  return createClient({ url, ...options, ...(token === undefined ? {} : { token }) });
}

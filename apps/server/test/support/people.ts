import type { CreatedToken, Grant } from "@hadal/sdk";

/** What an admin does, over plain HTTP. */
export interface Admin {
  createToken(scopes: readonly string[], expires?: string): Promise<CreatedToken>;
  /** In the place of all that there are. */
  putGrants(grants: readonly Grant[]): Promise<void>;
}

/** `headers`: how the admin signs in; none where no one does. */
export function adminOf(url: string, headers: Readonly<Record<string, string>> = {}): Admin {
  const send = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    createToken: async (scopes, expires) =>
      (await send("POST", "/tokens", {
        scopes,
        ...(expires === undefined ? {} : { expires }),
      })) as CreatedToken,
    putGrants: async (grants) => void (await send("PUT", "/grants", { grants })),
  };
}

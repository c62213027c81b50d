import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** A real OpenID provider on this machine. */
export interface OidcServer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Another client of the same provider. */
  readonly otherClientId: string;
  close(): Promise<void>;
}

export interface OidcServerOptions {
  readonly redirectUri: string;
  /** Groups of a person, by the name with which it signs in. */
  readonly groupsOf?: (login: string) => readonly string[];
  /** 0 chooses a free one. */
  readonly port?: number;
}

const clientSecret = "a client secret of the tests";

/** Whoever types a name is that person: any password will do. */
export async function startOidcServer({
  redirectUri,
  groupsOf = () => [],
  port = 0,
}: OidcServerOptions): Promise<OidcServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, otherClientId] = ["hadal", "other"];
  const client = {
    ...{ client_secret: clientSecret, redirect_uris: [redirectUri] },
    ...{ grant_types: ["authorization_code"], response_types: ["code"] as ["code"] },
  };
  const provider = new Provider(issuer, {
    clients: [clientId, otherClientId].map((id) => ({ ...client, client_id: id })),
    claims: {
      openid: ["sub"],
      profile: ["preferred_username"],
      email: ["email"],
      groups: ["groups"],
    },
    scopes: ["openid", "profile", "email", "groups"],
    cookies: { keys: ["a key of the tests"] },
    pkce: { required: () => true },
    findAccount: (_context, login) => ({
      accountId: login,
      claims: async () => ({
        ...{ sub: login, preferred_username: login, email: `${login}@example.org` },
        groups: groupsOf(login),
      }),
    }),
  });
  server.on("request", provider.callback());
  return {
    ...{ issuer, clientId, clientSecret, otherClientId },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import type { AuthMode, Role } from "@hadal/sdk";

/** How people and programs reach the server and sign in: settings of `hadal serve`. */
export interface AccessSettings {
  /** `none`: whoever reaches the server may do everything. */
  readonly auth: AuthMode;
  /** Addresses and ranges of proxies whose `X-Forwarded-…` headers count. */
  readonly trustedProxies: readonly string[];
  /** The headers, in lower case, in which such a proxy names who signed in and the groups; null: none. */
  readonly trustedHeader: string | null;
  readonly trustedGroupsHeader: string | null;
  /** Files of a certificate and its key in PEM; null: plain HTTP. */
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  /** An OpenID Connect provider; null: none. */
  readonly oidc: OidcSettings | null;
  /** Roles of those who are in a group of the provider or proxy; the highest counts. */
  readonly roleGroups: readonly RoleGroup[];
  /** Whether a server that others reach may start without a user, and print a link for the first admin. */
  readonly setupLink: boolean;
}

export interface OidcSettings {
  /** Its address. */
  readonly issuer: string;
  readonly clientId: string;
  /** The file of the client's secret; null: a public client. */
  readonly clientSecretFile: string | null;
  /** The claim of the ID token that lists groups. */
  readonly groupsClaim: string;
}

export interface RoleGroup {
  readonly role: Role;
  readonly group: string;
}

export const accessSettingsDefault: AccessSettings = {
  auth: "none",
  trustedProxies: [],
  trustedHeader: null,
  trustedGroupsHeader: null,
  tlsCert: null,
  tlsKey: null,
  oidc: null,
  roleGroups: [],
  setupLink: false,
};

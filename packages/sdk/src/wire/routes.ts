export const apiBase = "/api/v1";

/** The subprotocol of live sockets. */
export const liveProtocol = "hadal.v1";
/** Browsers cannot set headers on sockets: a token travels as one more subprotocol, which begins so. */
export const bearerProtocol = "hadal.bearer.";
/** The code with which a live socket closes whose session has ended or whose token is revoked. */
export const signedOutCode = 4401;

/** Paths of the HTTP interface; names are escaped here and nowhere else. */
export const routes = {
  rows: (table: string) => `${apiBase}/tables/${encodeURIComponent(table)}/rows`,
  batches: () => `${apiBase}/batches`,
  tables: () => `${apiBase}/tables`,
  table: (table: string) => `${apiBase}/tables/${encodeURIComponent(table)}`,
  settings: (table: string) => `${apiBase}/tables/${encodeURIComponent(table)}/settings`,
  values: (table: string, column: string) =>
    `${apiBase}/tables/${encodeURIComponent(table)}/columns/${encodeURIComponent(column)}/values`,
  session: () => `${apiBase}/session`,
  me: () => `${apiBase}/me`,
  users: () => `${apiBase}/users`,
  user: (id: string) => `${apiBase}/users/${encodeURIComponent(id)}`,
  userSetup: (id: string) => `${apiBase}/users/${encodeURIComponent(id)}/setup`,
  tokens: () => `${apiBase}/tokens`,
  token: (id: string) => `${apiBase}/tokens/${encodeURIComponent(id)}`,
  grants: () => `${apiBase}/grants`,
  audit: () => `${apiBase}/audit`,
  query: () => `${apiBase}/query`,
  facets: () => `${apiBase}/facets`,
  whatChanged: () => `${apiBase}/what-changed`,
  runningQuery: (id: string) => `${apiBase}/query/${encodeURIComponent(id)}`,
  functions: () => `${apiBase}/functions`,
  function: (name: string) => `${apiBase}/functions/${encodeURIComponent(name)}`,
  functionTrial: () => `${apiBase}/functions/run`,
  links: () => `${apiBase}/links`,
  link: (id: string) => `${apiBase}/links/${encodeURIComponent(id)}`,
  documents: () => `${apiBase}/documents`,
  document: (id: string) => `${apiBase}/documents/${encodeURIComponent(id)}`,
  documentVersions: (id: string) => `${apiBase}/documents/${encodeURIComponent(id)}/versions`,
  documentVersion: (id: string, version: number) =>
    `${apiBase}/documents/${encodeURIComponent(id)}/versions/${version}`,
  documentImage: (id: string, format: string) =>
    `${apiBase}/documents/${encodeURIComponent(id)}/image.${format}`,
  annotations: () => `${apiBase}/annotations`,
  alerts: () => `${apiBase}/alerts`,
  alert: (id: string) => `${apiBase}/alerts/${encodeURIComponent(id)}`,
  embeds: () => `${apiBase}/embeds`,
  embed: (id: string) => `${apiBase}/embeds/${encodeURIComponent(id)}`,
  embedToken: (id: string) => `${apiBase}/embeds/${encodeURIComponent(id)}/token`,
  embedImage: (id: string, format: string) =>
    `${apiBase}/embeds/${encodeURIComponent(id)}/image.${format}`,
  embedImageUrl: (id: string) => `${apiBase}/embeds/${encodeURIComponent(id)}/image-url`,
  embedSelf: () => `${apiBase}/embeds/self`,
  embedKeys: () => `${apiBase}/embeds/keys`,
  embedKey: (kid: string) => `${apiBase}/embeds/keys/${encodeURIComponent(kid)}`,
  embedKeyRotation: () => `${apiBase}/embeds/keys/rotate`,
  sources: () => `${apiBase}/sources`,
  source: (id: string) => `${apiBase}/sources/${encodeURIComponent(id)}`,
  status: () => `${apiBase}/status`,
  cluster: () => `${apiBase}/cluster`,
  drain: (machine: string) => `${apiBase}/cluster/machines/${encodeURIComponent(machine)}/drain`,
  cache: () => `${apiBase}/cache`,
  plan: () => `${apiBase}/plan`,
  live: () => `${apiBase}/live`,
} as const;

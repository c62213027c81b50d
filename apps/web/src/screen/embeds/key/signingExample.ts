/** What a host's server does with its own key; the package is `jose`. */
export const signingExample = (src: string): string => `import { importJWK, SignJWT } from "jose";

// Made once, by generateKeyPair("EdDSA", { extractable: true }); only the public half is added here.
const key = await importJWK(JSON.parse(process.env.HADAL_EMBED_KEY), "EdDSA");

/** A token for one visitor, who sees the rows of one customer. */
export function tokenFor(customer: string): Promise<string> {
  const hadal = {
    table: "requests",
    views: ["timeseries", "table"],
    filter: [{ column: "customer", op: "=", value: customer }],
    groupBy: ["time", "service"],
    hiddenColumns: ["user_id"],
    rangeMsMax: 7 * 24 * 3_600_000,
    frameAncestors: ["https://portal.example"],
  };
  return new SignJWT({ hadal })
    .setProtectedHeader({ alg: "EdDSA", kid: "the key's id in the list above" })
    .setAudience("hadal-embed")
    .setJti(crypto.randomUUID())
    .setExpirationTime("15m")
    .sign(key);
}

// In the page: <script type="module" src="${src}/embed/hadal-chart.js"></script>
//              <hadal-chart src="${src}" token="…" view="timeseries" query='{…}'></hadal-chart>
`;

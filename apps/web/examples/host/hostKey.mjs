import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** What every page of the host shows at most; each customer has one more filter. */
const scope = {
  table: "requests",
  views: ["timeseries", "table", "bar", "bignumber", "changes", "rows"],
  hiddenColumns: ["user_id"],
  groupBy: ["time", "service", "endpoint", "status"],
  rangeMsMax: 7 * 24 * 3_600_000,
};

/** A pair of keys: the private one stays in this process, Hadal knows the public one. */
export async function createHostKey(client, { origin, tokenSeconds }) {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519" });
  const { kid } = await client.embeds.addKey({
    name: "example host",
    jwk: await exportJWK(publicKey),
    tables: [scope.table],
    frameAncestors: [origin],
  });
  return {
    kid,
    /** A token for the rows of one customer. */
    tokenFor({ name, country }) {
      const title = `Requests of ${name}`;
      const filter = [{ column: "country", op: "=", value: country }];
      return new SignJWT({ hadal: { ...scope, title, filter, frameAncestors: [origin] } })
        .setProtectedHeader({ alg: "EdDSA", kid })
        .setAudience("hadal-embed")
        .setJti(randomUUID())
        .setExpirationTime(Math.floor(Date.now() / 1_000) + tokenSeconds)
        .sign(privateKey);
    },
    remove: () => client.embeds.removeKey(kid),
  };
}

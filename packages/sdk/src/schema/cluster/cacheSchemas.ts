import { cachePools } from "../../model/cluster/cacheInfo.js";
import { type NamedSchemas, nullable, openObject, ref } from "../jsonSchema.js";
import { count } from "../valueSchemas.js";

/** Answers that a gateway keeps. */
export const cacheSchemas: NamedSchemas = {
  CachePool: openObject(
    {
      bytes: count,
      bytesMax: count,
      hits: { ...count, description: "Answers whose rows had been read before." },
      joined: { ...count, description: "Answers that another client had just asked for." },
      stale: { ...count, description: "Answers of an earlier moment, as freshnessMs allowed." },
      part: { ...count, description: "Answers of which only the newest rows were read." },
      misses: count,
      evictedAgeMs: {
        ...nullable(count),
        description:
          "How long the last answer that had to go had not been asked for; null: none had to.",
      },
    },
    { description: "The answers to one kind of question. Counts begin with the gateway's start." },
  ),
  Cache: openObject({
    pools: openObject(Object.fromEntries(cachePools.map((pool) => [pool, ref("CachePool")]))),
  }),
};

import { writeFileSync } from "node:fs";
import { schemas, standaloneSchema } from "../dist/schemas.js";

/** Writes what `@hadal/sdk/schema/query.json` is, once the sources are compiled. */
const id = "https://hadal.dev/schema/query.json";
const text = JSON.stringify(standaloneSchema("Query", schemas, id), null, 2);
writeFileSync(new URL("../dist/query.json", import.meta.url), `${text}\n`);

import type { Migration } from "kysely";
import { documents } from "./m001Documents.js";
import { people } from "./m002People.js";
import { embeds } from "./m003Embeds.js";
import { members } from "./m004Members.js";
import { ledger } from "./m005Ledger.js";
import { drains } from "./m006Drains.js";
import { copies } from "./m007Copies.js";
import { clusterTls } from "./m008ClusterTls.js";
import { ledgerEpochs } from "./m009LedgerEpochs.js";
import { ledgerKeys } from "./m010LedgerKeys.js";
import { sources } from "./m011Sources.js";
import { alerts } from "./m012Alerts.js";

/** In their order; a released one never changes. Names sort as they run. */
export const migrations: Readonly<Record<string, Migration>> = {
  "001-documents": documents,
  "002-people": people,
  "003-embeds": embeds,
  "004-members": members,
  "005-ledger": ledger,
  "006-drains": drains,
  "007-copies": copies,
  "008-cluster-tls": clusterTls,
  "009-ledger-epochs": ledgerEpochs,
  "010-ledger-keys": ledgerKeys,
  "011-sources": sources,
  "012-alerts": alerts,
};

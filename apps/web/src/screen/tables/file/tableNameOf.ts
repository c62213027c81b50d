import { nameFault } from "@hadal/sdk";

/** `Web requests (2).ndjson.gz` → `web_requests_2`; an invalid name becomes `rows`. */
export function tableNameOf(fileName: string): string {
  const endings =
    /(\.(ndjson|jsonl?|csv|tsv|txt|log|parquet|arrows?|feather|folded|collapsed|cpuprofile|otlp|pb|binpb|gz|zst))+$/i;
  const base = fileName.replace(endings, "").toLowerCase();
  const words = base.replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "");
  const name = words.slice(0, 60);
  return name === "" || nameFault(name) !== null ? "rows" : name;
}

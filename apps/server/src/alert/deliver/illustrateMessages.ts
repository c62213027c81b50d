import type { AlertMessage, PairChange, Query, WhatChanged, WhatChangedRequest } from "@hadal/sdk";
import type { PictureHost } from "../../picture/pictureHost.js";
import type { PictureRequest, PictureSource } from "../../picture/pictureOrder.js";
import type { Illustrate } from "./illustration.js";

/** Of the chart, in pixels: what chats and mail show without scrolling. */
const size = { width: 800, height: 400 } as const;
/** Windows that the chart shows, the judged one last. */
const windowsShown = 12;
/** The widest of these that gives a window some points. */
const bucketsMs = [
  ...[86_400_000, 21_600_000, 3_600_000, 900_000, 300_000, 60_000, 15_000, 5_000],
] as const;
const bucketMsMin = 1_000;
const bucketsOfWindow = 4;
/** Groups that the chart shows. */
const seriesMax = 10;
/** Finds that a message lists. */
const findsMax = 3;
/** Where pictures wait for their turns: alerts have a place of their own. */
const client = "alerts";

export interface IllustrateDeps {
  readonly pictures: Pick<PictureHost, "draw">;
  /** Answers with the rights that the owner of this rule has now. */
  readonly sourceOf: (ruleId: string, signal: AbortSignal) => Promise<PictureSource>;
  readonly nowMs: () => number;
}

/** The chart of a message's query up to its window, and what differs most from the window before. */
export function illustrateMessages({ pictures, sourceOf, nowMs }: IllustrateDeps): Illustrate {
  return async (message, signal) => {
    const source = await sourceOf(message.ruleId, signal);
    const request = pictureRequest(message, nowMs());
    const [image, finds] = await Promise.all([
      pictures.draw({ request, format: "png" }, { source, client, signal }).catch(() => null),
      findsOf(message, source).catch(() => []),
    ]);
    return { image, finds };
  };
}

function pictureRequest(message: AlertMessage, nowMs: number): PictureRequest {
  const { title } = message;
  const query = chartQuery(message);
  return {
    subject: { kind: "query", title, query, view: null, viewOptions: {} },
    ...{ ...size, theme: "light", timeZone: null, nowMs, from: null, to: null, bar: null },
    rangeMsMax: null,
  };
}

/** Over time, in whole buckets: one that the window cuts would look like a fall. */
export function chartQuery({ query, fromMs, toMs }: AlertMessage): Query {
  const windowMs = Math.max(bucketMsMin, toMs - fromMs);
  const bucketMs = bucketsMs.find((ms) => ms * bucketsOfWindow <= windowMs) ?? bucketMsMin;
  const startOf = (ms: number): number => Math.floor(ms / bucketMs) * bucketMs;
  const { orderBy: _order, having: _having, limit: _limit, groupBy = [], ...rest } = query;
  const others = groupBy.filter((group) => typeof group === "string" || !("time" in group));
  return {
    ...rest,
    ...{ from: startOf(toMs - windowsShown * windowMs), to: startOf(toMs), series: seriesMax },
    groupBy: [{ time: `${bucketMs}ms` }, ...others],
  };
}

async function findsOf(message: AlertMessage, source: PictureSource): Promise<readonly string[]> {
  // Rows that stopped coming differ in everything.
  if (message.state !== "firing" || message.value === null) return [];
  return findTexts(await source.whatChanged(changedRequest(message)));
}

function changedRequest({ query, fromMs, toMs }: AlertMessage): WhatChangedRequest {
  const { table, timeZone, filter, derive } = query;
  return {
    ...{ table, from: fromMs, to: toMs, against: { offset: `${toMs - fromMs}ms` } },
    ...(timeZone !== undefined && { timeZone }),
    ...(filter !== undefined && { filter }),
    ...(derive !== undefined && { derive }),
  };
}

/** Pairs first: two values together say more than either alone. */
function findTexts({ pairs, columns }: WhatChanged): readonly string[] {
  const ofPairs = pairs.map(
    ({ columns: [one, other], is, a, b }) =>
      `${one} ${valueText(is[0])} with ${other} ${valueText(is[1])}: ${shares(a.share, b.share)}`,
  );
  const ofColumns = columns.map(
    ({ name, best }) => `${name} ${valueText(best.is)}: ${shares(best.a.share, best.b.share)}`,
  );
  return [...ofPairs, ...ofColumns].slice(0, findsMax);
}

const shares = (now: number, before: number): string =>
  `${percentOf(now)} % of the rows, before ${percentOf(before)} %`;

const percentOf = (share: number): string => (share * 100).toFixed(1);

function valueText(is: PairChange["is"][number]): string {
  if (is.kind === "range") return `from ${is.from ?? "the least"} to ${is.to ?? "the most"}`;
  return is.value === null ? "(missing)" : String(is.value);
}

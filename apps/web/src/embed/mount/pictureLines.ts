import { ownTimeZone } from "../../format/ownTimeZone.js";
import { rangeInWords } from "../../format/rangeInWords.js";
import { formatDated } from "../../format/time.js";
import { sideNames } from "../../panel/draw/sideNames.js";
import { filterLabel } from "../../query/filter/operators.js";
import type { DrawnAnswer } from "../shown/reports.js";

/** What a picture says above the chart: it is seen without its page, and later. An embed may have no title. */
export function pictureLines({ state, asOf }: DrawnAnswer, title = ""): readonly string[] {
  const { table, from, to, filters } = state;
  const zone = state.timeZone ?? ownTimeZone();
  const against = sideNames(state).b;
  const about = [
    table,
    `${rangeInWords(from, to, zone, asOf)}, at ${formatDated(asOf, zone)} ${zone}`,
    ...filters.filter(({ off }) => !off).map(({ filter }) => filterLabel(filter)),
    ...(against === "" ? [] : [`against ${against}`]),
  ];
  return [title || table, about.join(" · ")];
}

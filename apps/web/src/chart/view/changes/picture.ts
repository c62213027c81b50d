import type { ColumnChange, WhatChanged } from "@hadal/sdk";
import { shortenName } from "../../../format/name.js";
import { formatCompact } from "../../../format/number.js";
import { formatRange } from "../../../format/time.js";
import type { PictureRow } from "../../kit/picture/pictureTable.js";
import type { DrawView, PictureProps } from "../../kit/picture/viewPicture.js";
import {
  chanceText,
  differenceText,
  hiddenText,
  percent,
  sureness,
  valueText,
} from "./changeWords.js";

export const drawChanges: DrawView = (props) => {
  const { changes, theme } = props;
  if (changes === null) return { notes: ["There are no two sides to compare."] };
  const { a, b, columns, pairs, hidden, unchanged } = changes;
  const hasBoth = a.count > 0 && b.count > 0;
  const side = a.count > 0 ? "B" : "A";
  return {
    notes: [
      sidesText(changes, props),
      hasBoth
        ? `${chanceText(changes)} · ${unchanged.length} columns alike`
        : `Side ${side} has no rows: there is nothing to compare with.`,
      ...(hidden.length > 0
        ? [shortenName(`hidden: ${hidden.map(hiddenText).join(", ")}`, 120)]
        : []),
    ],
    table: {
      columns: [
        { head: "column", align: "left" },
        { head: "value", align: "left", grows: true },
        { head: "of A", align: "right" },
        { head: "of B", align: "right" },
        { head: "difference", align: "right" },
        { head: "sure", align: "left" },
      ],
      rows: hasBoth ? [...columns.map((one) => rowOf(one, theme)), ...pairs.map(pairRow)] : [],
      more: 0,
    },
  };
};

function rowOf(column: ColumnChange, theme: PictureProps["theme"]): PictureRow {
  const { name, unit, best } = column;
  return {
    cells: [
      { text: shortenName(name, 40) },
      { text: shortenName(valueText(best.is, unit), 80) },
      { text: percent(best.a.share), fill: best.a.share },
      { text: percent(best.b.share), fill: best.b.share },
      { text: differenceText(column), color: best.difference > 0 ? theme.more : theme.less },
      { text: sureness(best), color: theme.quiet },
    ],
  };
}

function pairRow(pair: WhatChanged["pairs"][number]): PictureRow {
  const values = pair.is.map((is) => valueText(is, undefined));
  return {
    cells: [
      { text: shortenName(pair.columns.join(" and "), 40) },
      { text: shortenName(values.join(" and "), 80) },
      { text: percent(pair.a.share), fill: pair.a.share },
      { text: percent(pair.b.share), fill: pair.b.share },
      { text: `${percent(pair.purity)} of them in A` },
      { text: "together" },
    ],
  };
}

function sidesText({ a, b }: WhatChanged, { input, part }: PictureProps): string {
  const [names] = input.measures;
  const nameA =
    part === null ? names?.ownName : formatRange(part.fromMs, part.toMs, input.timeZone);
  const nameB = part === null ? names?.baseName : "the rest of the time";
  return `A: ${nameA}, ${formatCompact(a.count)} events · B: ${nameB}, ${formatCompact(b.count)} events`;
}

import { formatChange } from "../../../format/change.js";
import { formatBounded } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasure } from "../../../format/value.js";
import { asNumber, type ChartMeasure } from "../../kit/answer/series.js";
import { changeOf } from "../../kit/answer/totals.js";
import type { AmountScale } from "../../kit/paint/amountScale.js";
import { createShades, toneOf } from "../../kit/paint/shade.js";
import { amountKey, differenceKey } from "../../kit/picture/pictureKey.js";
import type { PictureCell } from "../../kit/picture/pictureTable.js";
import type { DrawView, PictureProps } from "../../kit/picture/viewPicture.js";
import { buildPivot, type PivotCell, pivotNotes, scaleOf } from "./buildPivot.js";

export const drawPivot: DrawView = (props) => {
  const { input, extras, theme } = props;
  const [measure] = input.measures;
  if (measure === undefined) return {};
  const pivot = buildPivot(input, measure, extras);
  const scale = scaleOf(pivot, measure);
  const shades = createShades(theme);
  const cell = cellOf(props, measure, scale);
  const { rows, columns, cellAt, total } = pivot;
  return {
    key: input.compared
      ? differenceKey(shades, { gone: false })
      : [amountKey(shades, scale, measure)],
    notes: pivotNotes(input.result, extras),
    table: {
      columns: [
        { head: input.groupColumns.join(" × "), align: "left" },
        ...columns.map(({ label }) => ({ head: shortenName(label, 22), align: "right" as const })),
        { head: "all", align: "right" },
      ],
      rows: [
        {
          isTotal: true,
          cells: [
            { text: "all" },
            ...columns.map((head) => cell(head.total, { isTotal: true })),
            cell(total, { isTotal: true }),
          ],
        },
        ...rows.map((head) => ({
          cells: [
            { text: shortenName(head.label, 36) },
            ...columns.map((other) => cell(cellAt(head, other), { isTotal: false })),
            cell(head.total, { isTotal: true }),
          ],
        })),
      ],
      more: 0,
    },
  };
};

function cellOf(
  { input: { compared }, theme }: PictureProps,
  { measure }: ChartMeasure,
  scale: AmountScale,
) {
  const shades = createShades(theme);
  return (cell: PivotCell | null, { isTotal }: { readonly isTotal: boolean }): PictureCell => {
    if (cell === null || (cell.now === null && cell.was === null)) {
      return { text: "·", color: theme.quiet };
    }
    const number = formatBounded(cell.now, measure, formatMeasure);
    const change = formatChange(changeOf(cell.now, cell.was));
    const text = compared ? `${number}  ${change}` : number;
    if (isTotal) return { text };
    const ground = compared
      ? shades.difference(toneOf(cell))
      : shades.amount(scale.shareOf(asNumber(cell.now) ?? 0));
    return { text, ground, color: shades.inkOn(ground) };
  };
}

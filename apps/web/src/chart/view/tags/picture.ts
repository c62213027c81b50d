import { asNumber } from "../../kit/answer/series.js";
import { totalsOfResult } from "../../kit/answer/totals.js";
import { wholeOf } from "../../kit/answer/whole.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { countsElements, shareText, sparksOf } from "./sparks.js";

export const drawTags: DrawView = (props) => {
  const { input, query, extras, colors, theme } = props;
  const [measure] = input.measures;
  const totals = totalsOfResult(input.result, input);
  const hues = colors.huesOf(totals.map(({ key }) => key));
  const sparks = sparksOf(input, extras.sparks);
  const whole = measure?.additive === true ? wholeOf(extras.total, measure, input.result) : null;
  const all = asNumber(whole?.now ?? null) ?? 0;
  const overTime = {
    head: "over time",
    align: "left" as const,
    cellOf: ({ key }: { readonly key: string }, row: number) => {
      const series = sparks.get(key);
      if (series === undefined) return { text: "" };
      const color = theme.series[hues[row] ?? 0] ?? theme.accent;
      const values = (series.values[0] ?? []).map(asNumber);
      const compare = series.compare?.[0]?.map(asNumber) ?? null;
      return { text: "", spark: { values, compare, color } };
    },
  };
  const share = {
    head: "of all",
    align: "right" as const,
    cellOf: (total: (typeof totals)[number]) => ({ text: shareText(total, all) }),
  };
  return {
    notes: countsElements(query) ? ["An element counts once in every row that has it."] : [],
    table: groupTable({
      ...{ totals, input, theme, hues },
      between: whole === null ? [overTime] : [overTime, share],
    }),
  };
};

import { totalsOfResult } from "../../kit/answer/totals.js";
import { totalsBeside } from "../../kit/answer/totalsBeside.js";
import { toneCount } from "../../kit/paint/color.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";

export const drawGroups: DrawView = ({ input, extras, options, colors, theme }) => {
  const totals = totalsOfResult(input.result, input);
  return {
    table: groupTable({
      ...{ totals, input, theme },
      hues: totals.length <= toneCount ? colors.huesOf(totals.map(({ key }) => key)) : [],
      whole: totalsBeside(extras.total, input, [])?.[0] ?? null,
      shares: options.share === "on" && input.groupColumns.length > 0,
    }),
  };
};

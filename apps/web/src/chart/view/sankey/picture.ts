import { SankeyChart } from "echarts/charts";
import { use } from "echarts/core";
import { totalsOfResult } from "../../kit/answer/totals.js";
import { fitName } from "../../kit/paint/fitName.js";
import { createShades } from "../../kit/paint/shade.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import { differenceKey } from "../../kit/picture/pictureKey.js";
import type { DrawView, PictureProps } from "../../kit/picture/viewPicture.js";
import { createSvgContext, type SvgContext } from "../../kit/svg/svgContext.js";
import { svgOfOption } from "../../kit/svg/svgOfChart.js";
import { buildFlowOption, stagesIn } from "./build.js";
import { flowDrawing, flowNotes } from "./drawing.js";

use([SankeyChart]);

export const drawFlow: DrawView = (props) => {
  const { input, theme, ruler } = props;
  const table = groupTable({ totals: totalsOfResult(input.result, input), input, theme });
  const drawing = flowDrawing(props, theme);
  if (drawing === null) return { table };
  const { negativeCount } = drawing.flow;
  return {
    chart: ({ width, height }) => {
      const pen = createSvgContext(ruler);
      const option = buildFlowOption(drawing, width, height);
      pen.embed(svgOfOption(option, { width, height }), 0, 0);
      writeStages(pen, props, width);
      return pen.print(width, height);
    },
    key: input.compared ? differenceKey(createShades(theme), { gone: true }) : [],
    notes: negativeCount > 0 ? [flowNotes(negativeCount)] : [],
    table,
  };
};

/** Above each stage the column that it shows. */
function writeStages(pen: SvgContext, { input, theme }: PictureProps, width: number): void {
  const names = input.groupColumns;
  const { leftPx, stepPx } = stagesIn(width, names.length);
  pen.font = `11px ${theme.font}`;
  pen.fillStyle = theme.quiet;
  pen.textBaseline = "top";
  names.forEach((name, stage) => {
    const room = Math.max(40, stepPx - 8);
    const text = fitName(name, 40, room, (one) => pen.measureText(one).width);
    pen.fillText(text, leftPx + stage * stepPx, 4);
  });
}

import type { StateSpec } from "../../../plan/query/resolvedQuery.js";
import { areWeighted } from "../../program/segmentsInTotals.js";
import type { HistogramTask } from "../../task/histogramTask.js";
import { columnInput } from "../columnInput.js";
import { rangeOf } from "../columnRange.js";
import { readyInput } from "../readyInput.js";
import { withSquaredWeights } from "../sampledWeights.js";
import type { StateScan } from "../stateScan.js";
import { addToHistograms, prepareHistograms } from "./addToHistograms.js";
import { lowerHistogram } from "./lowerHistogram.js";
import { readHistogramSteps } from "./readHistograms.js";

type HistogramSpec = Extract<StateSpec, { readonly kind: "histogram" }>;

/** Weights per log-linear bucket: percentiles and histograms are finished from them. */
export const histogramScan: StateScan<HistogramSpec, HistogramTask> = {
  lower({ column, decimals, squared }, { segments, rowCount, groupCount, memory }) {
    const weighted = areWeighted(segments);
    const range = rangeOf(column, decimals, segments);
    const needs = { weighted, rowCount, groupCount, squared: squared === true, ...range };
    return lowerHistogram(needs, memory);
  },
  input: ({ column, decimals }, segment) =>
    columnInput(segment, column, { reads: "numbers", decimals }),
  arrays: () => [],
  prepare: prepareHistograms,
  add(context, task, { unit, selection: { rows }, groups, input }) {
    if (input === null) return;
    addToHistograms(context, task, {
      unit: task.squared ? withSquaredWeights(context, unit) : unit,
      rows,
      groups,
      input: readyInput(context, unit, rows, input),
    });
  },
  read: (context, task, { groups }) => readHistogramSteps(context, task, groups),
  masked: () => "lookup",
};

import type { Dashboard } from "@hadal/sdk";
import { useEffect } from "react";
import { useStore } from "zustand";
import { sectionsOf } from "../model/boardEdits.js";
import { type Reports, summaryOf } from "../model/reports.js";

/** Charts are drawn within this time of their answers. */
const drawingMs = 600;

interface Printing {
  readonly isPrinting: boolean;
  readonly onPrinted: () => void;
}

/** Prints the board once every tile that is not folded away has an answer or a problem. */
export function usePrint(
  board: Dashboard,
  reports: Reports,
  { isPrinting, onPrinted }: Printing,
): void {
  const { tiles, isSettled } = summaryOf(useStore(reports));
  const asking = sectionsOf(board)
    .filter(({ folded }) => folded !== true)
    .flatMap((section) => section.tiles)
    .filter((tile) => "query" in tile || "savedQuery" in tile).length;
  const isReady = isPrinting && tiles >= asking && isSettled;
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => {
      print();
      onPrinted();
    }, drawingMs);
    return () => clearTimeout(timer);
  }, [isReady, onPrinted]);
}

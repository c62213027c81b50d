import type { Query, SavedDocument } from "@hadal/sdk";
import type { ThemeName } from "./theme.js";

/** What is drawn: a saved query or a dashboard, or a query that was not saved. */
export type PictureSubject =
  | { readonly kind: "document"; readonly document: SavedDocument; readonly tile: string | null }
  | {
      readonly kind: "query";
      readonly title: string;
      readonly query: Query;
      readonly view: string | null;
      readonly viewOptions: Readonly<Record<string, string>>;
    };

export interface PictureRequest {
  readonly subject: PictureSubject;
  readonly theme: ThemeName;
  readonly width: number;
  /** null: of a board what it needs, of a tile two thirds of its width. */
  readonly height: number | null;
  /** In place of the saved times and zone; null: these. */
  readonly from: string | null;
  readonly to: string | null;
  readonly timeZone: string | null;
  /** The bar of a board as its address has it; null: the saved one. */
  readonly bar: string | null;
  readonly nowMs: number;
  /** Longest time range that its reader may ask for; null: any. */
  readonly rangeMsMax: number | null;
}

export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** More queries than this are no single picture. */
export const pictureTilesMax = 100;
/** A picture of a board is no higher. */
export const pictureHeightMax = 20_000;

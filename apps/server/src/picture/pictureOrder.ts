import type {
  AnnotationFilter,
  AnnotationList,
  ColumnInfo,
  DocumentImageFormat,
  PictureTheme,
  Query,
  Result,
  SavedDocument,
  WhatChanged,
  WhatChangedRequest,
} from "@hadal/sdk";

/** 4 bytes each while a PNG is drawn: 160 MB. */
export const picturePixelsMax = 40_000_000;

/** What the bundle draws: the type PictureRequest of apps/web/src/picture. */
export interface PictureRequest {
  readonly subject:
    | { readonly kind: "document"; readonly document: SavedDocument; readonly tile: string | null }
    | {
        readonly kind: "query";
        readonly title: string;
        readonly query: Query;
        readonly view: string | null;
        readonly viewOptions: Readonly<Record<string, string>>;
      };
  readonly theme: PictureTheme;
  readonly width: number;
  /** null: of a board what it needs, of a tile two thirds of its width. */
  readonly height: number | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly timeZone: string | null;
  /** The bar of a board as the address of its page has it; null: the saved one. */
  readonly bar: string | null;
  readonly nowMs: number;
  /** Longest time range that its reader may ask for; null: any. */
  readonly rangeMsMax: number | null;
}

export interface PictureOrder {
  readonly request: PictureRequest;
  readonly format: DocumentImageFormat;
}

/** Answers with the rights of whoever wants the picture. All reject with a HadalError. */
export interface PictureSource {
  ask(query: Query): Promise<Result>;
  columns(table: string): Promise<readonly ColumnInfo[]>;
  document(id: string): Promise<SavedDocument>;
  annotations(filter: AnnotationFilter): Promise<AnnotationList>;
  whatChanged(request: WhatChangedRequest): Promise<WhatChanged>;
}

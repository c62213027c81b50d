import type { Query, TimeText } from "./query.js";

/** Bounds of a picture in pixels. */
export const pictureWidth = { minimum: 200, maximum: 4_000 } as const;
export const pictureHeight = { minimum: 100, maximum: 4_000 } as const;

export const pictureThemes = ["light", "dark"] as const;
export type PictureTheme = (typeof pictureThemes)[number];

/** How a picture looks; left out: the server's choice. */
export interface PictureLook {
  readonly width?: number;
  /** A board has the height that it needs. */
  readonly height?: number;
  readonly theme?: PictureTheme;
  readonly timeZone?: string;
}

export const documentImageFormats = ["svg", "png", "pdf"] as const;
export type DocumentImageFormat = (typeof documentImageFormats)[number];

/** What is drawn of a saved query or a dashboard. */
export interface DocumentImage extends PictureLook {
  /** Default: `png`. */
  readonly format?: DocumentImageFormat;
  /** Of a dashboard one tile alone. */
  readonly tile?: string;
  /** In place of the saved times. */
  readonly from?: TimeText;
  readonly to?: TimeText;
  /** The bar of a dashboard in place of the saved one, as in the address of its page: `from=-3h&to=now&filter=…`. */
  readonly bar?: string;
}

export const embedImageFormats = ["svg", "png"] as const;
export type EmbedImageFormat = (typeof embedImageFormats)[number];

/** What is drawn of an embed; left out: the query and the view that it shows first. */
export interface EmbedImage extends PictureLook {
  readonly query?: Query;
  readonly view?: string;
}

/** The body of `POST /embeds/{id}/image-url`. */
export interface EmbedImageDraft extends EmbedImage {
  /** Default: `png`. */
  readonly format?: EmbedImageFormat;
  /** Default: a day, which is also the longest. */
  readonly expiresInMs?: number;
}

/** An address that shows one picture, and nothing else, to whoever has it. */
export interface EmbedImageUrl {
  readonly url: string;
  readonly expiresMs: number;
}

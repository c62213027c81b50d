import type { Problem } from "@hadal/sdk";
import type { PictureOrder, PictureSource } from "./pictureOrder.js";

/** What the thread is started with. */
export interface PictureThreadStart {
  /** URL of the bundle that draws. */
  readonly bundle: string;
}

/** A method of the source with its argument. */
export type PictureQuestion = {
  readonly [Method in keyof PictureSource]: {
    readonly method: Method;
    readonly argument: Parameters<PictureSource[Method]>[0];
  };
}[keyof PictureSource];

/** `id` names a picture, `call` one of its questions. */
export type MessageToThread =
  | { readonly kind: "draw"; readonly id: number; readonly order: PictureOrder }
  | { readonly kind: "answer"; readonly id: number; readonly call: number; readonly value: unknown }
  | {
      readonly kind: "refusal";
      readonly id: number;
      readonly call: number;
      readonly problem: Problem;
    };

export type MessageOfThread =
  | {
      readonly kind: "ask";
      readonly id: number;
      readonly call: number;
      readonly question: PictureQuestion;
    }
  | { readonly kind: "drawn"; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: "problem"; readonly id: number; readonly problem: Problem }
  | { readonly kind: "failure"; readonly id: number; readonly text: string };

/** Whose rights bound an embed or a key: it gives no more than that user or token may read at the time. */
export interface EmbedOwner {
  /** `anyone`: it was made where no one signs in. */
  readonly kind: "anyone" | "user" | "token";
  readonly id: string | null;
}

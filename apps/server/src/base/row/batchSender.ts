/** A gateway as the leaves know it, where several place rows. */
export interface BatchSender {
  /** Of its data folder. */
  readonly gateway: string;
  /** Another one after each time that others have taken its place; later ones are higher. */
  readonly epoch: number;
}

/**
 * The gateways that may place rows. One that is not listed may where its epoch is above `version`:
 * it was announced later.
 */
export interface SenderList {
  readonly version: number;
  readonly senders: readonly BatchSender[];
}

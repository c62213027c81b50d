/** A role that runs in this process. */
export interface RunningServer {
  readonly url: string;
  /** Stops cleanly: what was accepted is on the disk when it resolves. */
  close(): Promise<void>;
}

/** A role that runs in this process. */
export interface RunningServer {
  readonly url: string;
  /** Stops cleanly: what was accepted is on the disk when it resolves. */
  close(): Promise<void>;
}

/** One that has rows or documents to write. */
export interface RunningNode extends RunningServer {
  /** Takes nothing more, and writes what was acknowledged: all that can be trusted after a bug. */
  flush(): Promise<void>;
}

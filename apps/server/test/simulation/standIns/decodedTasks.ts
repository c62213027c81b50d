/**
 * For scan threads: their tasks are decoded in the order in which they were sent, but begin in
 * another.
 */
export class PlainDecoder {
  decode(task: unknown): unknown {
    return task;
  }
}

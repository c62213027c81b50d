/** Where a command prints. A reader that went away (`| head`) ends the printing, not the program. */
export interface Terminal {
  /** Resolves when the reader keeps up; false when the reader is gone. */
  write(text: string | Uint8Array): Promise<boolean>;
  writeError(text: string): Promise<boolean>;
  /** Whether a person looks at the output, and at the errors. */
  readonly outIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
}

interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export function createTerminal(streams: Streams): Terminal {
  return {
    write: createWriter(streams.stdout),
    writeError: createWriter(streams.stderr),
    outIsTerminal: streams.stdout.isTTY === true,
    errorIsTerminal: streams.stderr.isTTY === true,
  };
}

function createWriter(stream: NodeJS.WriteStream): Terminal["write"] {
  let open = true;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    open = false;
    if (error.code !== "EPIPE") throw error;
  });
  return (text) => {
    if (!open) return Promise.resolve(false);
    return new Promise((resolve) => {
      stream.write(text, (error) => {
        if (error) open = false;
        resolve(open);
      });
    });
  };
}

import { type HadalClient, HadalError } from "@hadal/sdk";
import { useRef, useState } from "react";
import { FileFault } from "../file/rowFile.js";
import { type Upload, type UploadState, uploadFile } from "../file/uploadFile.js";

export type UploadStage =
  | { readonly kind: "preview" }
  | { readonly kind: "sending"; readonly state: UploadState | null }
  | { readonly kind: "done"; readonly state: UploadState; readonly problem: string | null };

export interface FileUpload {
  readonly stage: UploadStage;
  readonly send: (upload: Upload) => Promise<void>;
  readonly stop: () => void;
}

/** Uploads a file: the stage of the import, and functions that start and stop it. */
export function useUpload(client: HadalClient): FileUpload {
  const [stage, setStage] = useState<UploadStage>({ kind: "preview" });
  const stopping = useRef<AbortController | null>(null);
  return {
    stage,
    stop: () => stopping.current?.abort(),
    async send(upload) {
      stopping.current = new AbortController();
      let state: UploadState = { bytesSent: 0, accepted: 0, rejected: 0, problems: [] };
      const show = (next: UploadState): void => {
        state = next;
        setStage({ kind: "sending", state });
      };
      setStage({ kind: "sending", state: null });
      try {
        await uploadFile(client, upload, show, stopping.current.signal);
        setStage({ kind: "done", state, problem: null });
      } catch (error) {
        if (!(error instanceof HadalError || error instanceof FileFault)) throw error;
        const isStopped = error instanceof HadalError && error.code === "cancelled";
        setStage({
          kind: "done",
          state,
          problem: isStopped ? "You stopped the import." : error.message,
        });
      }
    },
  };
}

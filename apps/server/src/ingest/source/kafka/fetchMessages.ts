import {
  type Connection,
  fetchV13,
  fetchV14,
  fetchV15,
  fetchV16,
  fetchV17,
} from "@platformatic/kafka";

export type FetchRequestTopic = fetchV17.FetchRequestTopic;
export type FetchResponse = fetchV17.FetchResponse;

/** Those that know topics by their ids. */
const versions = { 13: fetchV13, 14: fetchV14, 15: fetchV15, 16: fetchV16, 17: fetchV17 };

/** Messages come at once; without any, a broker answers after this time. */
const waitMsMax = 250;
const bytesMax = 8_388_608;
export const partitionBytesMax = 1_048_576;
/** Only messages of transactions that have ended. */
const readCommitted = 1;

export type Fetch = (
  connection: Connection,
  topics: readonly FetchRequestTopic[],
) => Promise<FetchResponse>;

interface OfferedApi {
  readonly name: string;
  readonly minVersion: number;
  readonly maxVersion: number;
}

/** Fetches in the newest version that the brokers and the client have; null: they are too old. */
export function fetchOf(apis: readonly OfferedApi[]): Fetch | null {
  const offered = apis.find(({ name }) => name === "Fetch");
  const version = ([17, 16, 15, 14, 13] as const).find(
    (one) => offered !== undefined && one >= offered.minVersion && one <= offered.maxVersion,
  );
  if (version === undefined) return null;
  const { api } = versions[version];
  return async (connection, topics) => {
    try {
      return await api.async(
        connection,
        waitMsMax,
        1,
        bytesMax,
        readCommitted,
        0,
        0,
        [...topics],
        [],
        "",
      );
    } catch (error) {
      // Where one partition has a problem, what came of the others is in the error.
      const { response } = error as { readonly response?: FetchResponse };
      if (response?.responses === undefined || response.errorCode !== 0) throw error;
      return response;
    }
  };
}

// Ends with 0 when this container's server is ready.
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { connect } from "node:net";

const { HADAL_PORT = "7400", HADAL_TLS_CERT = "", HADAL_ROLE = "single" } = process.env;

if (HADAL_ROLE === "aggregator" || HADAL_ROLE === "leaf") {
  // They speak to members only, and listen once they are ready.
  connect(Number(HADAL_PORT), "127.0.0.1", () => process.exit(0)).on("error", () =>
    process.exit(1),
  );
} else {
  const request = HADAL_TLS_CERT === "" ? requestPlain : requestTls;
  // The certificate is for the name that people use, not for this address.
  const options = {
    host: "127.0.0.1",
    port: HADAL_PORT,
    path: "/readyz",
    rejectUnauthorized: false,
  };
  request(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
    .on("error", () => process.exit(1))
    .end();
}

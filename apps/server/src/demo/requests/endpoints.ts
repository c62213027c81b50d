/** One endpoint of one service, and how its requests behave on a good day. */
export interface Endpoint {
  readonly service: string;
  readonly method: string;
  /** `{id}` stands for a number that differs per request; the column `endpoint` keeps it as it is. */
  readonly path: string;
  /** Share of all requests. */
  readonly share: number;
  readonly medianUs: number;
  /** Spread of the log-normal latency. */
  readonly spread: number;
  readonly medianBytes: number;
  /** Probes of the load balancers: no user, no country. */
  readonly isHealthCheck: boolean;
  /** It has enough requests that successful ones are sampled. */
  readonly isHot: boolean;
}

/** Per service its share of all requests, and per endpoint: method, path, share within the service, median ms, median KiB. */
const services: Readonly<Record<string, [number, ...[string, string, number, number, number][]]>> =
  {
    web: [
      22,
      ["GET", "/", 30, 24, 42],
      ["GET", "/product/{id}", 38, 38, 61],
      ["GET", "/category/{id}", 18, 46, 74],
      ["GET", "/offers", 9, 29, 38],
      ["GET", "/help/{id}", 5, 17, 22],
    ],
    catalog: [
      15,
      ["GET", "/api/v2/products/{id}", 45, 8, 6],
      ["GET", "/api/v2/products", 20, 21, 34],
      ["GET", "/api/v2/categories", 18, 5, 9],
      ["GET", "/api/v2/brands/{id}", 12, 6, 4],
      ["PUT", "/api/v2/products/{id}", 5, 33, 1],
    ],
    images: [
      13,
      ["GET", "/img/{id}/thumb", 50, 3.2, 12],
      ["GET", "/img/{id}/large", 35, 7.5, 180],
      ["GET", "/img/{id}/zoom", 10, 14, 640],
      ["POST", "/img/resize", 5, 160, 88],
    ],
    search: [
      11,
      ["GET", "/api/v1/search", 52, 64, 18],
      ["GET", "/api/v1/suggest", 38, 11, 1.4],
      ["GET", "/api/v1/facets", 8, 41, 5],
      ["POST", "/api/v1/reindex", 2, 420, 0.4],
    ],
    accounts: [
      9,
      ["POST", "/api/v1/login", 22, 92, 0.9],
      ["GET", "/api/v1/profile", 44, 9, 2.2],
      ["POST", "/api/v1/token/refresh", 24, 13, 0.7],
      ["PUT", "/api/v1/profile", 6, 27, 1.1],
      ["POST", "/api/v1/signup", 4, 140, 1],
    ],
    recommendations: [
      9,
      ["GET", "/api/v1/similar/{id}", 48, 35, 7],
      ["GET", "/api/v1/for-you", 40, 58, 11],
      ["POST", "/api/v1/feedback", 12, 6, 0.2],
    ],
    cart: [
      8,
      ["GET", "/api/v3/cart", 48, 12, 3.4],
      ["POST", "/api/v3/cart/items", 30, 22, 1.2],
      ["DELETE", "/api/v3/cart/items/{id}", 12, 18, 0.4],
      ["POST", "/api/v3/cart/voucher", 10, 31, 0.8],
    ],
    checkout: [
      6,
      ["POST", "/api/v2/checkout", 30, 180, 2.6],
      ["GET", "/api/v2/checkout/{id}", 34, 19, 3.1],
      ["PUT", "/api/v2/checkout/{id}/address", 20, 44, 1.3],
      ["POST", "/api/v2/checkout/{id}/confirm", 16, 310, 2.2],
    ],
    notifications: [
      4,
      ["GET", "/api/v1/inbox", 62, 9, 5],
      ["POST", "/api/v1/push/register", 22, 15, 0.3],
      ["POST", "/api/v1/mail/send", 16, 75, 0.5],
    ],
    inventory: [
      4,
      ["GET", "/api/v1/stock/{id}", 70, 4.1, 0.6],
      ["POST", "/api/v1/reserve", 22, 26, 0.5],
      ["POST", "/api/v1/release", 8, 21, 0.3],
    ],
    payments: [
      3,
      ["POST", "/api/v1/authorize", 42, 260, 1.4],
      ["POST", "/api/v1/capture", 34, 210, 1.1],
      ["GET", "/api/v1/methods", 20, 11, 1.8],
      ["POST", "/api/v1/refund", 4, 330, 0.9],
    ],
    shipping: [
      3,
      ["GET", "/api/v1/quotes", 46, 83, 2.1],
      ["GET", "/api/v1/track/{id}", 44, 28, 2.8],
      ["POST", "/api/v1/labels", 10, 240, 46],
    ],
  };

/** Every service is probed; together the probes are this share of all requests. */
const healthShare = 0.05;
const healthPath = "/healthz";
/** Above this share of all requests, successful ones are sampled. */
const hotShare = 0.012;

export const endpoints: readonly Endpoint[] = buildEndpoints();
export const serviceNames: readonly string[] = Object.keys(services);

/** Share of all requests that go to a service, probes not counted. */
export function shareOfService(service: string): number {
  return endpoints.reduce(
    (sum, endpoint) =>
      endpoint.service === service && !endpoint.isHealthCheck ? sum + endpoint.share : sum,
    0,
  );
}

function buildEndpoints(): Endpoint[] {
  const all = Object.entries(services);
  const servicesTotal = all.reduce((sum, [, [share]]) => sum + share, 0);
  return all.flatMap(([service, [serviceShare, ...list]]) => {
    const endpointsTotal = list.reduce((sum, [, , share]) => sum + share, 0);
    const ofService = list.map(([method, path, weight, medianMs, medianKib], index): Endpoint => {
      const share = ((1 - healthShare) * serviceShare * weight) / (servicesTotal * endpointsTotal);
      return {
        service,
        method,
        path,
        share,
        medianUs: medianMs * 1_000,
        spread: 0.4 + 0.08 * (index % 4),
        medianBytes: medianKib * 1_024,
        isHealthCheck: false,
        isHot: share > hotShare,
      };
    });
    return [...ofService, healthCheck(service, healthShare / all.length)];
  });
}

function healthCheck(service: string, share: number): Endpoint {
  return {
    service,
    method: "GET",
    path: healthPath,
    share,
    medianUs: 600,
    spread: 0.3,
    medianBytes: 64,
    isHealthCheck: true,
    isHot: true,
  };
}

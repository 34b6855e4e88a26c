import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { leadInput } from '#test/support/factories.ts';

export interface BenchRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Providers in the benchmark's database: ids 1 to so many, each with a host of its own. */
export const benchProviders = 500;

/** The benchmark server's secret, and the lead in its database whose author withdraws. */
export const benchSecretKey = 'a-key-for-the-benchmark-server-0001';
export const benchLeadPublicId = '6d0f2c1e-5b7a-4c3d-9e8f-0a1b2c3d4e5f';
export const withdrawalToken = signWithdrawal([benchSecretKey], benchLeadPublicId);

/** One kind of request that anyone may send. Several rows may be of one route. */
export interface AnonymousRoute {
  /** Name of the registered route (registeredRoutes). */
  route: string;
  /** What distinguishes this row from the others of its route. */
  variant?: string;
  status: number;
  /** How often anyone may ask. */
  limit: string;
  /** The most CPU time it may take, as a multiple of the cached front page's. */
  ratioMax: number;
  request: (index: number) => BenchRequest;
  /** Requests at most, where each is expensive or counts against a limit of all together. */
  requestsMax?: number;
  /** All requests come from one network, so that its limit is reached. */
  oneNetwork?: boolean;
}

export const none = 'none: kept in memory';
export const oneRead = 'none: one indexed read';
export const submissions = 'RATE_LIMIT_LEADS';
export const oneClicks = '600 a minute, 6,000 an hour';
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
/** Bounds the rows that are answered from memory. */
export const light = 20;
/** Bounds those that ask the database for a row. */
export const medium = 50;
/** Bounds those that write or draw, whose limits bound how often. */
export const heavy = 400;

export const get = (path: string) => (): BenchRequest => ({ path });
export const post =
  (path: string, body: (index: number) => object) =>
  (index: number): BenchRequest => ({
    method: 'POST',
    path,
    headers: json,
    body: JSON.stringify(body(index)),
  });
export const postForm = (path: string, fields: () => Record<string, string>) => (): BenchRequest => ({
  method: 'POST',
  path,
  headers: form,
  body: new URLSearchParams(fields()).toString(),
});
export const query = (procedure: string, input: object): string =>
  `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
export const providerId = (index: number): number => (index % benchProviders) + 1;

export function leadForm(): Record<string, string> {
  const { first_name, last_name, email, phone, zip_code } = leadInput();
  return { first_name, last_name, email, phone, zip_code, acceptance_consent: 'true', form: 'landing' };
}

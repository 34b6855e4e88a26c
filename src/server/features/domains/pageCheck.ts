import { type Boot, type PackedBoot, unpackBoot } from '#shared/pages/boot.ts';
import type { DomainFinding } from '#shared/providers/domainCheck.ts';
import { domainCheckMessages } from '#server/features/domains/messages.ts';
import { guardedRequest, PrivateAddressError } from '#server/security/guardedRequest.ts';
import { BodyTooLargeError, readBody } from '#server/security/readBody.ts';
import type { FormTokens } from '../submissions/formToken.ts';

const words = domainCheckMessages.page;
const redirectsMax = 2;
/** Our pages have half of this size. */
const pageBytesMax = 256 * 1024;

export interface CheckedProvider {
  id: number;
  label: string;
  domain: string;
  isActive: boolean;
}

export interface PageCheckOptions {
  /** The expected origin of the provider's site: `https://clinic.example`. */
  origin: string;
  /** The addresses of the name; no others are requested. */
  addresses: readonly string[];
  formTokens: Pick<FormTokens, 'check'>;
  allowPrivate: boolean;
  /** For the whole check, with redirects. */
  timeoutMs?: number;
}

/**
 * Whether the provider's own page answers at its domain. The proof is the page's boot data: the provider's id, and a
 * form token signed with this service's key, which no other website or installation has.
 */
export async function checkPage(
  provider: CheckedProvider,
  options: PageCheckOptions,
): Promise<DomainFinding> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? 5_000);
  try {
    return await followPage(provider, options, signal);
  } catch (error) {
    return findFault(error, provider.domain, signal);
  }
}

async function followPage(
  provider: CheckedProvider,
  options: PageCheckOptions,
  signal: AbortSignal,
): Promise<DomainFinding> {
  const { addresses: pinnedTo, allowPrivate } = options;
  let url = new URL('/', options.origin);
  for (let hop = 0; hop <= redirectsMax; hop++) {
    const response = await guardedRequest(url, {
      signal,
      pinnedTo,
      allowPrivate,
      headers: { accept: 'text/html' },
    });
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status === 200) {
      const html = await readBody(response, { bytesMax: pageBytesMax });
      return judge(provider, readBoot(html.toString('utf8')), options.formTokens);
    }
    response.destroy();
    const next = status >= 300 && status < 400 && location !== undefined ? URL.parse(location, url) : null;
    if (next === null) return { state: 'wrong', text: words.status(status) };
    if (!isSameSite(next, options.origin, provider.domain))
      return { state: 'wrong', text: words.redirected(next.origin) };
    url = next;
  }
  return { state: 'wrong', text: words.looping };
}

/** The name itself or its `www.`, with the same scheme and port, which resolve to the addresses that were checked. */
function isSameSite(next: URL, origin: string, domain: string): boolean {
  const { protocol, port } = new URL(origin);
  const isNamed = next.hostname === domain || next.hostname === `www.${domain}`;
  return isNamed && next.protocol === protocol && next.port === port;
}

/** The boot data of one of our pages; null for any other page. */
function readBoot(html: string): Boot | null {
  const [, json] = /<script type="application\/json" id="boot">([^<]*)<\/script>/.exec(html) ?? [];
  if (json === undefined) return null;
  try {
    const packed: PackedBoot = JSON.parse(json);
    return unpackBoot(packed);
  } catch {
    return null;
  }
}

function judge(
  { id, label, isActive }: CheckedProvider,
  boot: Boot | null,
  formTokens: Pick<FormTokens, 'check'>,
): DomainFinding {
  if (boot === null || !isOurs(boot, formTokens)) return { state: 'wrong', text: words.foreign };
  if (boot.tenant === null) return { state: 'wrong', text: isActive ? words.brand : words.inactive };
  if (boot.tenant.id !== id) return { state: 'wrong', text: words.otherProvider(boot.tenant.label) };
  return { state: 'ok', text: words.own(label) };
}

/** The page may come from a cache, so an old token is accepted. */
function isOurs({ formToken, tenant }: Boot, formTokens: Pick<FormTokens, 'check'>): boolean {
  if (typeof formToken !== 'string') return false;
  const check = formTokens.check(formToken, tenant === null ? 'landing' : 'microsite');
  return check.ok || check.reason !== 'token-forged';
}

/** OpenSSL's and Node's codes for an untrusted certificate, or a handshake without one. */
const certificateCode = /CERT|SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA|^ERR_TLS|^ERR_SSL|^EPROTO/;
const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL']);

function findFault(error: unknown, domain: string, signal: AbortSignal): DomainFinding {
  if (error instanceof PrivateAddressError) return { state: 'unknown', text: words.notPublic };
  if (error instanceof BodyTooLargeError) return { state: 'wrong', text: words.foreign };
  if (signal.aborted) return { state: 'wrong', text: words.late };
  // Network errors have a code; any other error is ours.
  if (!(error instanceof Error && 'code' in error)) throw error;
  const code = String(error.code);
  if (certificateCode.test(code)) return { state: 'wrong', text: words.certificate(code) };
  return { state: 'wrong', text: unreachable.has(code) ? words.refused(domain) : words.cut };
}

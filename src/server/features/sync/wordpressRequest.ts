import { setTimeout as delay } from 'node:timers/promises';
import { parseUrl } from '#shared/formats/text.ts';
import { sourceMessages as words } from './messages.ts';
import { isExcessiveJson, BodyTooLargeError, readBody } from '#server/security/readBody.ts';
import { traceHeaders } from '#server/log.ts';
import { SourceError } from './source.ts';

/** What a firewall's response has. Sites behind a proxy have its headers on every response. */
const firewalls: readonly { name: string; header?: [name: string, value: RegExp]; text?: RegExp }[] = [
  { name: 'Cloudflare', header: ['server', /cloudflare/i] },
  { name: 'Cloudflare', header: ['cf-ray', /./] },
  { name: 'Sucuri', header: ['x-sucuri-id', /./] },
  { name: 'Sucuri', header: ['server', /sucuri/i], text: /Sucuri WebSite Firewall/i },
  { name: 'Imperva', header: ['x-iinfo', /./], text: /Incapsula incident/i },
  { name: 'Akamai', header: ['server', /akamai/i] },
  { name: 'AWS WAF', header: ['x-amzn-waf-action', /./] },
  { name: 'DDoS-Guard', header: ['server', /ddos-guard/i] },
  { name: 'Wordfence', text: /wordfence/i },
  { name: 'NinjaFirewall', text: /ninjafirewall/i },
  { name: 'ModSecurity', header: ['server', /mod_security/i], text: /mod_security|Not Acceptable!/i },
  { name: 'All-In-One Security', text: /all[- ]in[- ]one (?:wp )?security/i },
  { name: 'Solid Security', text: /ithemes security|solid security/i },
  { name: 'Shield Security', text: /shield security/i },
  { name: 'CleanTalk', text: /cleantalk/i },
];
const textLengthMax = 20_000;

/** The firewall or security plugin that a response shows by its headers or its text; null if it shows none. */
function getFirewall(headers: Headers, text = ''): string | null {
  const start = text.slice(0, textLengthMax);
  const found = firewalls.find(
    (firewall) =>
      (firewall.header !== undefined && firewall.header[1].test(headers.get(firewall.header[0]) ?? '')) ||
      firewall.text?.test(start) === true,
  );
  return found?.name ?? null;
}

const kinds = '((?:Fatal |Parse )?error|Warning|Notice|Deprecated|Strict Standards)';
/** PHP's messages, as it prints them: with HTML anywhere, or without it at the beginning. */
const phpNotices = [new RegExp(`^\\s*(?:PHP )?${kinds}: `, 'i'), new RegExp(`<b>${kinds}</b>\\s*:`, 'i')];

/** The kind of the PHP message in a response that should be JSON: 'Warning'; null if there is none. */
function getPhpNotice(text: string): string | null {
  const found = phpNotices.map((pattern) => pattern.exec(text.replace(/^\ufeff/, ''))?.[1]);
  return found.find((kind) => kind !== undefined) ?? null;
}

export interface WordPressAccess {
  /** The site's URL without a trailing slash. */
  url: string;
  credentials: { user: string; appPassword: string } | null;
  /** What a firewall knows the sync by. */
  userAgent: string;
}

export interface Patience {
  timeoutMs: number;
  /** Delays before the second and third attempt, unless the response has its own. */
  pausesMs: readonly number[];
  /** A longer `Retry-After` ends the run. */
  waitMaxMs: number;
  bytesMax: number;
}

const usualPatience: Patience = {
  timeoutMs: 30_000,
  pausesMs: [1_000, 4_000],
  waitMaxMs: 120_000,
  bytesMax: 8 * 1024 * 1024,
};

/** WordPress' response. `json` is null if it wasn't JSON. */
export interface WordPressAnswer {
  status: number;
  headers: Headers;
  json: unknown;
  /** The firewall or proxy in front of the site that the response shows; null if it shows none. */
  firewall: string | null;
}

interface SourceRequest {
  /** Its name in messages: 'Page 3'. */
  what: string;
  /** Aborts it and its retries. */
  signal?: AbortSignal | undefined;
}

const mebibyte = 1024 * 1024;
/** Also removes a byte order mark. */
const utf8 = new TextDecoder();
const busyStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Seconds or a date (RFC 9110 section 10.2.3), in milliseconds from now; null without one. */
function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

/** A failure that a retry may fix. */
class PassingError extends Error {
  readonly waitMs: number | null;
  constructor(sentence: string, waitMs: number | null = null) {
    super(sentence);
    this.waitMs = waitMs;
  }
}

/** Whether WordPress or the connection failed in each attempt, and may work later. */
export function isTransient(error: SourceError): boolean {
  return error.cause instanceof PassingError;
}

function networkReason(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return words.timedOut;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (['UND_ERR_SOCKET', 'ECONNRESET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ''].includes(code))
    return words.cut;
  return words.network[code] ?? code;
}

/** Calls WordPress' REST API with three attempts, timeouts, size limits and a message for each kind of failure. */
export class WordPressClient {
  readonly #access: WordPressAccess;
  readonly #patience: Patience;
  readonly #headers: Record<string, string>;

  constructor(access: WordPressAccess, patience: Patience = usualPatience) {
    this.#access = access;
    this.#patience = patience;
    const { credentials } = access;
    this.#headers = {
      accept: 'application/json',
      'user-agent': access.userAgent,
      ...(credentials === null
        ? {}
        : {
            authorization: `Basic ${Buffer.from(`${credentials.user}:${credentials.appPassword}`).toString('base64')}`,
          }),
    };
  }

  /**
   * The response to a GET below `wp-json/wp/v2/`, with any status that a retry would not fix. Throws SourceError after
   * three attempts, at a redirect, and if the response is not JSON.
   */
  async get(path: string, query: Record<string, string>, asked: SourceRequest): Promise<WordPressAnswer> {
    const { pausesMs, waitMaxMs } = this.#patience;
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.#ask(path, query, asked);
      } catch (error) {
        if (!(error instanceof PassingError)) throw error;
        const pauseMs = pausesMs[failures];
        if (pauseMs === undefined) throw new SourceError(error.message, { cause: error });
        const waitMs = error.waitMs ?? pauseMs;
        if (waitMs > waitMaxMs)
          throw new SourceError(words.waitsTooLong(asked.what, Math.ceil(waitMs / 1000)), { cause: error });
        await delay(waitMs, undefined, { signal: asked.signal });
      }
    }
  }

  async #ask(
    path: string,
    query: Record<string, string>,
    { what, signal }: SourceRequest,
  ): Promise<WordPressAnswer> {
    const { timeoutMs, bytesMax, pausesMs } = this.#patience;
    const url = `${this.#access.url}/wp-json/wp/v2/${path}?${new URLSearchParams(query)}`;
    try {
      // Not followed: the credentials belong to this site.
      const response = await fetch(url, {
        headers: { ...traceHeaders(), ...this.#headers },
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]),
      });
      const { status, headers } = response;
      if (status >= 300 && status < 400) {
        await response.body?.cancel();
        throw new SourceError(words.redirected(parseUrl(headers.get('location') ?? '', url)?.origin ?? '?'));
      }
      if (busyStatuses.has(status)) {
        await response.body?.cancel();
        const attempts = pausesMs.length + 1;
        throw new PassingError(
          words.busy(what, status, { attempts, firewall: getFirewall(headers) }),
          retryAfterMs(headers),
        );
      }
      const text = utf8.decode(await readBody(response.body, { bytesMax }));
      return {
        status,
        headers,
        json: this.#read(text, response, what),
        firewall: getFirewall(headers, text),
      };
    } catch (error) {
      if (error instanceof SourceError || error instanceof PassingError) throw error;
      if (error instanceof BodyTooLargeError)
        throw new SourceError(words.tooLarge(what, bytesMax / mebibyte));
      throw new PassingError(words.unreachable(what, networkReason(error)));
    }
  }

  /** The JSON of a response. An error's body may be anything; its status counts. */
  #read(text: string, { status, headers }: Response, what: string): unknown {
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '');
    try {
      if (isJson && isExcessiveJson(text)) throw new Error('excessive');
      if (isJson) return JSON.parse(text);
    } catch {
      // Truncated, or after a PHP notice: the next response may be complete.
      if (status === 200) throw new PassingError(words.notJson(what, getPhpNotice(text)));
    }
    if (status !== 200) return null;
    // PHP's output before WordPress' headers makes the response a web page.
    const notice = getPhpNotice(text);
    if (notice !== null) throw new PassingError(words.notJson(what, notice));
    throw new SourceError(words.webPage(what, status, getFirewall(headers, text)));
  }
}

import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { findDatabaseUrl } from '../db/databaseUrl.ts';
import { type FieldOverrides, mappedFields } from './fieldMap.ts';
import { loopbackHosts, parseHost } from '../tenant/parseHost.ts';

/** At most `points` calls in `windowSeconds`. */
export interface RateWindow {
  points: number;
  windowSeconds: number;
}

const windowUnits: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** Longer windows exceed a timer or a date. */
const windowSecondsMax = 31 * 86_400;

export const rateWindows = z.string().transform((text, ctx): RateWindow[] => {
  if (text === 'off') return [];
  const windows = text.split(',').map((part) => {
    const [, points = '', count = '', unit = ''] =
      /^\s*([1-9]\d{0,8})\/([1-9]\d{0,8})([smhd])\s*$/.exec(part) ?? [];
    const windowSeconds = Number(count) * (windowUnits[unit] ?? 0);
    if (windowSeconds > 0 && windowSeconds <= windowSecondsMax)
      return { points: Number(points), windowSeconds };
    ctx.addIssue({ code: 'custom', message: `"${part}" is not a limit such as 5/1m, of 31 days at most` });
    return z.NEVER;
  });
  // Equal windows share one counter, so each submission would count twice.
  const lengths = windows.map(({ windowSeconds }) => windowSeconds).filter((seconds) => seconds > 0);
  if (new Set(lengths).size < lengths.length)
    ctx.addIssue({ code: 'custom', message: 'two limits have the same window' });
  return windows;
});

export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

export const host = z.string().transform((text, ctx) => {
  const match = parseHost(text, loopbackHosts);
  // A Host header may contain a port, a main domain may not.
  const hasPort = /:\d+$/.test(text.replace(/^\[.*\]$/, ''));
  if (match.kind !== 'invalid' && !hasPort) return match.host;
  ctx.addIssue({ code: 'custom', message: `"${text}" is not a host name` });
  return z.NEVER;
});

/** In the form in which DNS answers are compared. */
export const ipAddress = z.string().transform((text, ctx) => {
  if (ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text))
    return ipaddr.process(text).toString();
  ctx.addIssue({ code: 'custom', message: `"${text}" is not an IPv4 or IPv6 address` });
  return z.NEVER;
});

/** A Postgres server, or several hosts of which one is in use. */
export const databaseUrl = z
  .string()
  .trim()
  .refine((text) => findDatabaseUrl(text) !== null, 'must be a postgres:// address');

export const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });
/** A site to which paths are appended. */
export const siteUrl = webUrl.refine((text) => {
  const url = URL.parse(text);
  // An invalid URL has been reported already.
  return url === null || (!/[?#]/.test(text) && url.username === '' && url.password === '');
}, 'must be an http(s) address without query, fragment, user or password');
export const count = (min: number, max: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${min} to ${max}` })
    .int()
    .min(min)
    .max(max);

/** A port, or `off`. */
export const portOrOff = z.union([z.literal('off').transform(() => null), count(1, 65_535)], {
  error: 'must be a port or off',
});

/** The public OpenStreetMap tiles, under their usage policy. */
export const publicTilesUrl = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';

/**
 * A URL with `{z}`, `{x}` and `{y}` in its path. The host must be fixed, because the pages' security policy names it.
 */
export const tilesUrl = z.string().transform((text, ctx): string | null => {
  if (text === 'off') return null;
  const url = URL.parse(text);
  const isTemplate = ['{z}', '{x}', '{y}'].every((part) => text.includes(part));
  if (url !== null && /^https?:$/.test(url.protocol) && isTemplate && !/[{}]|%7b/i.test(url.host))
    return text;
  ctx.addIssue({
    code: 'custom',
    message: 'must be an http(s) address with {z}, {x} and {y} in its path, or off',
  });
  return z.NEVER;
});
/** An instant with its zone, such as 2027-03-01T17:00:00Z. Without a zone, it would depend on the machine. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be a date-time with its zone, such as 2027-03-01T17:00:00Z' })
  .transform((text) => new Date(text));

/** `practice_name=acf.practice,zip_code=meta.zip`: a provider's field and its path in a WordPress record. */
export const wordpressFields = commaList.transform((pairs, ctx): FieldOverrides => {
  const overrides: FieldOverrides = {};
  for (const pair of pairs) {
    const [, name, place] = /^(\w+)\s*=\s*(\w[\w-]*(?:\.\w[\w-]*)*)$/.exec(pair) ?? [];
    const field = mappedFields.find((known) => known === name && known !== 'wordpress_id');
    if (field === undefined || place === undefined)
      ctx.addIssue({
        code: 'custom',
        message: `"${pair}" is not a field and its place, such as zip_code=meta.zip`,
      });
    else overrides[field] = place;
  }
  return overrides;
});

export const webhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'must be whsec_ and 24 to 64 bytes as base64');

/** A local part has at most 64 characters (RFC 5321), of which `+` and a token use 57. */
const inboundLocalMax = 7;

/** The address to which tokens are added: `stop@reply.brand.example` receives mail to `stop+<token>@…` too. */
export const inboundAddress = z
  .email('must be an email address')
  .refine(
    (address) =>
      /^[a-z0-9]+$/i.test(getLocalPart(address)) && getLocalPart(address).length <= inboundLocalMax,
    `needs 1 to ${inboundLocalMax} letters or digits before the @`,
  );

function getLocalPart(address: string): string {
  return address.slice(0, address.lastIndexOf('@'));
}

/** A name in quotes, as RFC 5322 writes one with a comma, without them. */
function unquoted(name: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/u.exec(name) ?? [];
  return (quoted?.replace(/\\(.)/gu, '$1') ?? name).trim();
}

/** `Name <address>`, `"Name, Inc." <address>`, or the address only. */
export const mailFrom = z.string().transform((text, ctx): { name: string; address: string } => {
  const [, name = '', bracketed] =
    /^((?:"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"\s*)|[^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(text.trim()) ?? [];
  const address = z.email().safeParse(bracketed ?? text.trim());
  if (address.success) return { name: unquoted(name.trim()), address: address.data };
  ctx.addIssue({ code: 'custom', message: 'must be an email address, or a name and the address in <>' });
  return z.NEVER;
});

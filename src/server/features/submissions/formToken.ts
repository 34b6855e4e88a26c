import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { applicationFormKey } from '#shared/applications/applications.ts';
import type { problemFormKey } from '#shared/claims/problemFields.ts';
import type { FormKey } from '#shared/leads/leadForms.ts';
import { dayMs } from '#shared/formats/time.ts';
import { widestNetwork } from '#server/security/sharedLimiter.ts';
import type { Site } from '#server/tenant/site.ts';

/** The forms with a token: the lead forms, the provider application and the problem report. */
export type TokenForm = FormKey | typeof applicationFormKey | typeof problemFormKey;

/** Only scripts fill a form faster than this. */
export const tokenMinAgeMs = 3_000;
export const tokenMaxAgeMs = dayMs;

/** Where a token was given, or comes back: the site, and the address of the visitor. */
interface TokenPlace {
  site: Pick<Site, 'tenant'>;
  ip: string;
}

/**
 * `isFetched`: the form's script fetched it, so it isn't the one that all visitors of a cached page have.
 * `isElsewhere`: another site's page has it, or a visitor of another network fetched it. `nonce`: names a fetched
 * token, whose uses are counted (tokenUses.ts).
 */
export type TokenCheck =
  | { ok: true; ageMs: number; isFetched?: true; isElsewhere?: true; nonce?: string }
  | { ok: false; reason: 'token-early' | 'token-expired' | 'token-forged' };

interface Options {
  /** The first key signs, all keys verify. */
  keys: readonly string[];
  now: () => Date;
  minAgeMs?: number;
}

const timeBytes = 6;
const macBytes = 32;

/** The label separates these signatures from others under the same key. */
function computeMac(key: string, label: string, ...parts: readonly Buffer[]): Buffer {
  return createHmac('sha256', key).update(label).update(Buffer.concat(parts)).digest();
}

const timeMac = (key: string, form: TokenForm, time: Buffer): Buffer =>
  computeMac(key, `render-token\n${form}\n`, time);

/**
 * Precedes each mark. Base64 decoders end here: 1.0.0 accepts marked tokens as a page's, 1.0.1 reads the first mark.
 */
const markSeparator = '=';

/**
 * The first byte of a mark. A mark with another one is a later version's, and says nothing here. A token without a mark
 * of its place, as 1.0.1 issued it, is valid anywhere: so is a page's, for all visitors of its site. That ends for
 * tokens issued more than a day after this process started, when no process of 1.0.1 issues any: somebody cut the mark
 * off.
 */
const markKinds = { fetched: 1, page: 16, visitor: 17 } as const;

function fetchedMark(key: string, form: TokenForm, time: Buffer): Buffer {
  const mac = computeMac(key, `fetched-token\n${form}\n`, time);
  return Buffer.concat([Buffer.from([markKinds.fetched]), mac]);
}

// With these lengths, marks have no unused bits in base64.
const nonceBytes = 8;
const tagBytes = 10;
const placeMacBytes = 16;

function buildTag(key: string, kind: 'site' | 'network', text: string): Buffer {
  return computeMac(key, `form-${kind}\n${text}`).subarray(0, tagBytes);
}

/** All hosts of the brand are one site: they show the same pages. */
function siteTag(key: string, { tenant }: TokenPlace['site']): Buffer {
  return buildTag(key, 'site', tenant === null ? 'brand' : `provider ${tenant.id}`);
}

function placeMac(key: string, base: Buffer, content: Buffer): Buffer {
  return computeMac(key, 'form-place\n', base, content).subarray(0, placeMacBytes);
}

/** The mark of a token's place, signed with the token that it belongs to. */
function placeMark(key: string, base: Buffer, parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([content, placeMac(key, base, content)]);
}

interface Marks {
  isFetched: boolean;
  isElsewhere: boolean;
  hasPlace: boolean;
  nonce: string | null;
}

interface Marked {
  key: string;
  form: TokenForm;
  base: Buffer;
  place: TokenPlace | undefined;
}

/** Where a signed mark of a place differs from the place of a submission; null: the mark is forged. */
function readPlace(mark: Buffer, { key, base, place }: Marked): Pick<Marks, 'isElsewhere' | 'nonce'> | null {
  const isVisitors = mark[0] === markKinds.visitor;
  const length = 1 + (isVisitors ? nonceBytes + tagBytes : 0) + tagBytes;
  const [content, mac] = [mark.subarray(0, length), mark.subarray(length)];
  if (mac.length !== placeMacBytes || !timingSafeEqual(placeMac(key, base, content), mac)) return null;
  const nonce = isVisitors ? content.subarray(1, 1 + nonceBytes) : null;
  const tags = content.subarray(1 + (nonce?.length ?? 0));
  const expected = (at: TokenPlace): Buffer =>
    Buffer.concat([
      siteTag(key, at.site),
      ...(isVisitors ? [buildTag(key, 'network', widestNetwork(at.ip))] : []),
    ]);
  return {
    isElsewhere: place !== undefined && !tags.equals(expected(place)),
    nonce: nonce?.toString('base64url') ?? null,
  };
}

/** What the marks of a token say; null if one is forged. */
function readMarks(texts: readonly string[], marked: Marked): Marks | null {
  const found: Marks = { isFetched: false, isElsewhere: false, hasPlace: false, nonce: null };
  for (const text of texts) {
    const mark = Buffer.from(text, 'base64url');
    if (mark[0] === markKinds.fetched) {
      const expected = fetchedMark(marked.key, marked.form, marked.base.subarray(0, timeBytes));
      if (expected.length !== mark.length || !timingSafeEqual(expected, mark)) return null;
      found.isFetched = true;
    } else if (mark[0] === markKinds.page || mark[0] === markKinds.visitor) {
      const place = readPlace(mark, marked);
      if (place === null) return null;
      found.hasPlace = true;
      found.isElsewhere ||= place.isElsewhere;
      found.nonce ??= place.nonce;
    }
  }
  return found;
}

/**
 * Signed proof of when a form was rendered: base64url of the issue time (48-bit milliseconds) and its HMAC-SHA256 with
 * the form's key. Signed marks behind it say that a script fetched it, and where.
 */
export function createFormTokens({ keys, now, minAgeMs = tokenMinAgeMs }: Options) {
  const [signing] = keys;
  if (signing === undefined) throw new Error('render tokens need a secret key');
  const baseAt = (form: TokenForm, at: Date): Buffer => {
    const time = Buffer.alloc(timeBytes);
    time.writeUIntBE(at.getTime(), 0, timeBytes);
    return Buffer.concat([time, timeMac(signing, form, time)]);
  };
  const unplacedUntilMs = now().getTime() + dayMs;
  const joined = (...parts: readonly Buffer[]): string =>
    parts.map((part) => part.toString('base64url')).join(markSeparator);
  return {
    /** The age from which a token is valid. */
    minAgeMs,
    /**
     * A page's token for one form on one site, which all visitors of an hour share. Valid from 3 seconds to 24 hours
     * after now, or after the given time. URL-safe, about 90 characters; without a site, as 1.0.1 issued it, about 50.
     */
    issue(form: TokenForm, on?: { site: TokenPlace['site']; at: Date }): string {
      const base = baseAt(form, on?.at ?? now());
      if (on === undefined) return joined(base);
      return joined(
        base,
        placeMark(signing, base, [Buffer.from([markKinds.page]), siteTag(signing, on.site)]),
      );
    },
    /** A token for a script that fetches it: with the visitor's site and network, and a name. About 160 characters. */
    issueFetched(form: TokenForm, place?: TokenPlace): string {
      const base = baseAt(form, now());
      const fetched = fetchedMark(signing, form, base.subarray(0, timeBytes));
      if (place === undefined) return joined(base, fetched);
      const visitor = placeMark(signing, base, [
        Buffer.from([markKinds.visitor]),
        randomBytes(nonceBytes),
        siteTag(signing, place.site),
        buildTag(signing, 'network', widestNetwork(place.ip)),
      ]);
      return joined(base, fetched, visitor);
    },
    /** Without a place, a token is valid anywhere. */
    check(token: string, form: TokenForm, place?: TokenPlace): TokenCheck {
      const [text = '', ...marks] = token.split(markSeparator);
      const base = Buffer.from(text, 'base64url');
      if (base.length !== timeBytes + macBytes) return { ok: false, reason: 'token-forged' };
      const [time, mac] = [base.subarray(0, timeBytes), base.subarray(timeBytes)];
      const key = keys.find((known) => timingSafeEqual(timeMac(known, form, time), mac));
      const marked = key === undefined ? null : readMarks(marks, { key, form, base, place });
      if (marked === null) return { ok: false, reason: 'token-forged' };
      const issuedMs = time.readUIntBE(0, timeBytes);
      const ageMs = now().getTime() - issuedMs;
      const isCut = place !== undefined && !marked.hasPlace && issuedMs > unplacedUntilMs;
      if (ageMs < minAgeMs) return { ok: false, reason: 'token-early' };
      if (ageMs > tokenMaxAgeMs) return { ok: false, reason: 'token-expired' };
      return {
        ok: true,
        ageMs,
        ...(marked.isFetched ? { isFetched: true } : {}),
        ...(marked.isElsewhere || isCut ? { isElsewhere: true } : {}),
        ...(marked.nonce === null ? {} : { nonce: marked.nonce }),
      };
    },
  };
}

export type FormTokens = ReturnType<typeof createFormTokens>;

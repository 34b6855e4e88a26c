import { isOptedOut } from '#client/browser/optOut.ts';
import { parseUrl } from '#shared/formats/text.ts';
import { dayMs } from '#shared/formats/time.ts';

const campaignFields = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'gbraid',
  'wbraid',
  'msclkid',
] as const;

/** How a visit started: campaign parameters, landing path and referring host. Never contact details. */
export type Touch = Partial<
  Record<(typeof campaignFields)[number] | 'landing_path' | 'referrer_host', string>
>;

interface Attribution {
  first: Touch;
  last: Touch;
}

const valueLengthMax = 200;
const firstTouchAgeMaxMs = 90 * dayMs;
const firstKey = 'attribution.first';
const lastKey = 'attribution.last';

/**
 * The touch of a page view. Leaves out values with `@`: mailings may put the recipient's address into links. A
 * `providerId` counts as part of the path: it makes another page.
 */
export function readTouch(address: string, referrer: string): Touch {
  const url = new URL(address);
  const touch: Touch = {};
  for (const field of campaignFields) {
    const value = url.searchParams.get(field)?.trim();
    if (value !== undefined && value !== '' && !value.includes('@'))
      touch[field] = value.slice(0, valueLengthMax);
  }
  const path = url.pathname;
  const [id] = /\d+/.exec(url.searchParams.get('providerId') ?? '') ?? [];
  if (!/@|%40/.test(path))
    touch.landing_path = (id === undefined ? path : `${path}?providerId=${id}`).slice(0, 300);
  const from = parseUrl(referrer);
  if (from !== null && from.hostname !== '' && from.hostname !== url.hostname)
    touch.referrer_host = from.hostname;
  return touch;
}

/** Whether a page view starts a visit (an ad, a link from another site) and so replaces the last touch. */
export function beginsVisit(touch: Touch): boolean {
  return touch.referrer_host !== undefined || campaignFields.some((field) => touch[field] !== undefined);
}

function isTouch(value: unknown): value is Touch {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((item) => typeof item === 'string')
  );
}

/** A stored touch. Null if it is missing, malformed or older than `ageMaxMs`. */
export function parseStoredTouch(stored: string | null, nowMs: number, ageMaxMs: number): Touch | null {
  try {
    const entry: unknown = JSON.parse(stored ?? 'null');
    if (typeof entry !== 'object' || entry === null || !('at' in entry) || !('touch' in entry)) return null;
    return typeof entry.at === 'number' && nowMs - entry.at < ageMaxMs && isTouch(entry.touch)
      ? entry.touch
      : null;
  } catch {
    return null;
  }
}

/** The result for this page load: client navigation changes the address, but not how the visit started. */
let remembered: { attribution: Attribution | undefined } | null = null;

/**
 * First and last touch of this browser, kept in first-party storage (first: 90 days; last: this tab). Without storage
 * (private windows) both are the page's own touch. With Global Privacy Control, nothing is read or stored. Every page
 * calls it, because a visit may start on a page without a form.
 */
export function rememberAttribution(): Attribution | undefined {
  remembered ??= { attribution: touchesNow() };
  return remembered.attribution;
}

function touchesNow(): Attribution | undefined {
  if (isOptedOut()) return undefined;
  const nowMs = Date.now();
  const here = readTouch(location.href, document.referrer);
  try {
    const first = parseStoredTouch(localStorage.getItem(firstKey), nowMs, firstTouchAgeMaxMs) ?? here;
    const earlier = parseStoredTouch(sessionStorage.getItem(lastKey), nowMs, firstTouchAgeMaxMs);
    const last = earlier === null || beginsVisit(here) ? here : earlier;
    if (first === here) localStorage.setItem(firstKey, JSON.stringify({ at: nowMs, touch: first }));
    if (last === here) sessionStorage.setItem(lastKey, JSON.stringify({ at: nowMs, touch: last }));
    return { first, last };
  } catch {
    return { first: here, last: here };
  }
}

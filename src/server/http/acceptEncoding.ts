import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The encodings that a client accepts, best first. The last is always identity, which no response refuses. */
type Preference = readonly Encoding[];

const none: Preference = ['identity'];
/** Results by header. Browsers send a handful of different headers, but clients may send any, so the map is bounded. */
const known = new Map<string, Preference>();
const knownMax = 200;

function parse(header: string): Preference {
  // RFC 9110: `x-gzip` is an old name of gzip.
  const request = { headers: { 'accept-encoding': header.replaceAll(/\bx-gzip\b/gi, 'gzip') } };
  // Our order decides between equals.
  const accepted = new Negotiator(request).encodings(['br', 'gzip', 'identity'], {
    preferred: ['br', 'gzip'],
  });
  // What the client wants less than an uncompressed response isn't worth compressing.
  const place = accepted.indexOf('identity');
  const wanted = (['br', 'gzip'] as const)
    .filter((coding) => accepted.includes(coding) && (place === -1 || accepted.indexOf(coding) < place))
    .toSorted((one, other) => accepted.indexOf(one) - accepted.indexOf(other));
  return [...wanted, 'identity'];
}

/** The encodings that an `Accept-Encoding` header accepts, best first (RFC 9110 section 12.5.3). */
export function acceptedEncodings(header: string | undefined): Preference {
  if (header === undefined || header === '') return none;
  const found = known.get(header);
  if (found !== undefined) return found;
  const parsed = parse(header);
  if (known.size >= knownMax) known.clear();
  known.set(header, parsed);
  return parsed;
}

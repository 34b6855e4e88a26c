export type Encoding = 'br' | 'gzip' | 'identity';

/** The encodings that a client accepts, best first. The last is always identity, which no response refuses. */
type Preference = readonly Encoding[];

const none: Preference = ['identity'];
/** Results by header. Browsers send a handful of different headers, but clients may send any, so the map is bounded. */
const known = new Map<string, Preference>();
const knownMax = 200;

function parse(header: string): Preference {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const value = weight === undefined ? 1 : Number(weight);
    if (coding !== '')
      weights.set(coding === 'x-gzip' ? 'gzip' : coding, value >= 0 && value <= 1 ? value : 0);
  }
  const weightOf = (coding: Encoding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  // Our order decides between equals. Identity gets its weight only if the client names it.
  const identity = weights.get('identity') ?? 0;
  const wanted = (['br', 'gzip'] as const).filter(
    (coding) => weightOf(coding) > 0 && weightOf(coding) >= identity,
  );
  return [...wanted.toSorted((a, b) => weightOf(b) - weightOf(a)), 'identity'];
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

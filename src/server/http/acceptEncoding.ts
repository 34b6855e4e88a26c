export type Encoding = 'br' | 'gzip' | 'identity';

/** What a client takes, best first; always ends in identity, which no answer of ours refuses. */
type Preference = readonly Encoding[];

const none: Preference = ['identity'];
/** By header, as browsers send a handful of different ones. Bounded, since anyone may send any. */
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
  // The order of ours decides between equals; identity is worth its weight only where the client names one.
  const identity = weights.get('identity') ?? 0;
  const wanted = (['br', 'gzip'] as const).filter(
    (coding) => weightOf(coding) > 0 && weightOf(coding) >= identity,
  );
  return [...wanted.toSorted((a, b) => weightOf(b) - weightOf(a)), 'identity'];
}

/** The encodings an `Accept-Encoding` header takes, best first (RFC 9110 section 12.5.3). */
export function acceptedEncodings(header: string | undefined): Preference {
  if (header === undefined || header === '') return none;
  const found = known.get(header);
  if (found !== undefined) return found;
  const parsed = parse(header);
  if (known.size >= knownMax) known.clear();
  known.set(header, parsed);
  return parsed;
}

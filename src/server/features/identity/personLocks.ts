import { createHash } from 'node:crypto';
import type { LeadInsert } from '#server/db/schema/index.ts';

/**
 * Two advisory locks for one person, in an order all transactions share, or two of them could wait for each other: whoever stores a lead of a
 * person, or erases them, does so alone.
 */
export function personLocks({
  emailNorm,
  phoneE164,
}: Pick<LeadInsert, 'emailNorm' | 'phoneE164'>): [string, string] {
  const lockOf = (text: string): bigint => createHash('sha256').update(text).digest().readBigInt64BE(0);
  const [a, b] = [lockOf(`email\n${emailNorm}`), lockOf(`phone\n${phoneE164}`)];
  return a < b ? [String(a), String(b)] : [String(b), String(a)];
}

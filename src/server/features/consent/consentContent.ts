import type { ConsentErasureRow, ConsentRecordRow } from '#server/db/schema/index.ts';
import { erasureHash } from './consentErasure.ts';
import { sha256 } from './consentHash.ts';
import { consentRowHash } from './evidenceFields.ts';

interface Evidence {
  record: ConsentRecordRow;
  erasure: ConsentErasureRow | null;
  /** Of the erasure's own seal. */
  erasureSeq: number | null;
}

/**
 * What is wrong with a record's content, null if nothing is. One that was erased is vouched for by the hash of what is left of it, by that hash's own
 * seal, and by its having been right before.
 */
export function contentProblem({ record, erasure, erasureSeq }: Evidence): string | null {
  if (erasure === null) {
    if (consentRowHash(record) !== record.rowHash) return 'its content does not match its hash';
  } else {
    if (erasureHash(record, erasure) !== erasure.erasureHash)
      return 'what its erasure left does not match the hash of that';
    if (!erasure.wasIntact) return 'its content did not match its hash when it was erased';
    if (erasureSeq === null) return 'its erasure has no seal';
    if (!record.textKnown) return null;
  }
  return sha256(record.textShown) === record.textSha256 ? null : 'the text shown does not match its hash';
}

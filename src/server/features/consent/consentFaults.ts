import type { Database } from '#server/db/connect.ts';

/** A fault of the evidence. */
export interface ConsentFault {
  recordId: number | null;
  leadId: number | null;
  seq: number | null;
  problem: string;
}

export type Report = (fault: ConsentFault) => void;

/** One consistent state of all evidence. */
export type Snapshot = Parameters<Parameters<Database['transaction']>[0]>[0];

export const pageRows = 2_000;

/** Yields every row of an ordered page query, with one page in memory. */
export async function* paged<Row>(
  page: (after: number) => Promise<Row[]>,
  toKey: (row: Row) => number,
): AsyncGenerator<Row> {
  // Below every key, so that an inserted row with a negative id is checked too.
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await page(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = toKey(last);
  }
}

/** A fault in one line: `consent record 12 (lead 34): …`. */
export function faultLine({ recordId, leadId, seq, problem }: ConsentFault): string {
  if (recordId === null) return leadId === null ? problem : `lead ${leadId}: ${problem}`;
  const known = [leadId === null ? null : `lead ${leadId}`, seq === null ? null : `seal ${seq}`].filter(
    (part) => part !== null,
  );
  return `consent record ${recordId}${known.length === 0 ? '' : ` (${known.join(', ')})`}: ${problem}`;
}

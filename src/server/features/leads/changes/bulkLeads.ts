import { type BulkLeads, bulkLeadsMax, matchingLeadsMax } from '#shared/admin/leadActions.ts';
import { counted } from '#shared/formats/writing.ts';
import type { Database } from '#server/db/connect.ts';
import { AppError } from '#server/errors.ts';
import { listMatchingIds } from '../list/leadList.ts';
import type { LeadAction } from './leadChanges.ts';
import { type Outcome, retrySyncOfLeads } from './leadRetries.ts';

/**
 * The leads of a change by staff, in ascending order: those named, or those that a filter matches. Throws
 * UNPROCESSABLE_CONTENT if these are too many, and CONFLICT if they aren't as many as staff saw.
 */
export async function selectLeads(db: Database, input: BulkLeads): Promise<readonly number[]> {
  if ('ids' in input) return input.ids;
  const ids = await listMatchingIds(db, input.filter, matchingLeadsMax + 1);
  if (ids.length > matchingLeadsMax)
    throw new AppError(
      'UNPROCESSABLE_CONTENT',
      `At most ${counted(matchingLeadsMax, 'lead')} can be changed at a time. Add a filter.`,
    );
  if (ids.length !== input.expected)
    throw new AppError(
      'CONFLICT',
      `The list has changed: ${counted(ids.length, 'lead')} now, not ${input.expected.toLocaleString('en-US')}. Nothing was changed. Select the leads again.`,
    );
  return ids;
}

/**
 * Changes leads in transactions of their own, so that none locks thousands of rows. Returns the changed ids. A failure
 * after the first batch says how many leads were changed before it.
 */
export async function changeInBatches(
  ids: readonly number[],
  change: (batch: readonly number[]) => Promise<readonly number[]>,
): Promise<number[]> {
  const changed: number[] = [];
  for (let at = 0; at < ids.length; at += bulkLeadsMax)
    try {
      changed.push(...(await change(ids.slice(at, at + bulkLeadsMax))));
    } catch (error) {
      if (changed.length === 0) throw error;
      const [done, all] = [changed.length.toLocaleString('en-US'), counted(ids.length, 'lead')];
      throw new AppError(
        'INTERNAL_SERVER_ERROR',
        `Only ${done} of ${all} were changed. Reload the list and try again.`,
        {
          cause: error,
        },
      );
    }
  return changed;
}

/** Changes the leads of a request in batches. */
export async function changeSelected(
  staffAction: LeadAction,
  input: BulkLeads,
  change: (staffAction: LeadAction, ids: readonly number[]) => Promise<number[]>,
): Promise<{ changed: number[] }> {
  const ids = await selectLeads(staffAction.services.db, input);
  return { changed: await changeInBatches(ids, (batch) => change(staffAction, batch)) };
}

/** Queues the leads of a request for the CRM in batches. Succeeds if any was queued; otherwise says why none was. */
export async function retrySyncOfSelected(staffAction: LeadAction, input: BulkLeads): Promise<Outcome> {
  const ids = await selectLeads(staffAction.services.db, input);
  let failure: Outcome | null = null;
  const queued = await changeInBatches(ids, async (batch) => {
    const outcome = await retrySyncOfLeads(staffAction, batch);
    if (outcome.success) return batch;
    failure = outcome;
    return [];
  });
  return queued.length === 0 && failure !== null ? failure : { success: true };
}

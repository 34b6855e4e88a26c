import type { z } from 'zod';
import { type SyncRunOutcome, pushBytesMax, type uploadInput } from '#shared/admin/sync.ts';
import { AppError } from '#server/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import type { ProviderAuthor } from '../providers/ownProviders.ts';
import { createFileSource } from './files/fileSource.ts';
import { runSync, type SyncServices } from './runSync.ts';

/**
 * Previews or imports a CSV file that staff send, as a run of the sync: with its rules, guards and record. Throws
 * UNPROCESSABLE_CONTENT for a file that is too large.
 */
export async function uploadProviders(
  { services, actor, ip }: ProviderAuthor & { services: SyncServices },
  { fileName: name, content, dryRun, force }: z.output<typeof uploadInput>,
): Promise<SyncRunOutcome> {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length > pushBytesMax)
    throw new AppError('UNPROCESSABLE_CONTENT', 'The file must have at most 8 MiB.');
  const outcome = await runSync(services, {
    ...{ source: createFileSource({ name, bytes }, 'csv'), kind: 'rows', dryRun, force },
    ...{ startedBy: actor.name, author: { actor, ip } },
  });
  const subject = outcome.run === null ? null : ({ kind: 'sync', id: outcome.run.id } as const);
  const detail = { success: outcome.success, ...(dryRun && { dryRun }), ...(force && { force }) };
  await recordAudit(services.db, { actor, ip, action: 'sync.run', subject, detail });
  return outcome;
}

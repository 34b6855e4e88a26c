import { expect, test } from 'vitest';
import type { SyncRun } from '#shared/admin/sync.ts';
import { lastFullRun, runToReport } from './syncRuns.ts';

function run(id: number, changes: Partial<SyncRun>): SyncRun {
  const counts = { read: 0, created: 0, updated: 0, unchanged: 0, deactivated: 0, skipped: 0, warned: 0 };
  const at = '2026-05-01T10:00:00.000Z';
  const usual = { source: 'wordpress', kind: 'incremental', outcome: 'done', startedBy: 'Schedule' } as const;
  return {
    ...usual,
    ...counts,
    ...{ id, dryRun: false, forced: false, startedAt: at, finishedAt: at, message: null },
    ...changes,
  };
}

test('the last full run is not a preview, a file or an incremental run', () => {
  const refused = run(1, { kind: 'full', outcome: 'refused' });
  const later = [
    run(4, { kind: 'full', source: 'file' }),
    run(3, {}),
    run(2, { kind: 'full', dryRun: true }),
  ];
  expect(lastFullRun([...later, refused])).toBe(refused);
  expect(lastFullRun(later)).toBeNull();
});

test('a full run that failed is reported until a full run succeeds', () => {
  const done = run(2, {});
  for (const outcome of ['refused', 'failed'] as const) {
    const full = run(1, { kind: 'full', outcome });
    expect(runToReport([done, full])).toBe(full);
    expect(runToReport([run(3, { kind: 'full' }), done, full])?.id).toBe(3);
  }
  expect(runToReport([done, run(1, { kind: 'full' })])).toBe(done);
  expect(runToReport([])).toBeNull();
});

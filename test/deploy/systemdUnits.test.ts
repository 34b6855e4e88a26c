import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { toText } from '#test/support/deployExamples.ts';
import { isPeerMissing } from '#test/support/peers.ts';

const isSkipped = isPeerMissing(
  spawnSync('systemd-analyze', ['--version']).status === 0,
  'No systemd-analyze to check the units with.',
);

const files = globSync('deploy/*.{service,timer}').map((file) => path.basename(file));
/** A template is checked as one of its instances. */
const units = files.map((file) => file.replace('@.', '@3001.')).toSorted();

test('the units are those of the web processes, the worker and the backup', () => {
  expect(units).toEqual([
    'clinic-leads-backup.service',
    'clinic-leads-backup.timer',
    'clinic-leads-worker.service',
    'clinic-leads@3001.service',
  ]);
});

interface Findings {
  status: number | null;
  faults: string[];
}

/** What systemd says of a unit, with this change to the files. */
async function verify(unit: string, change = (text: string): string => text): Promise<Findings> {
  const folder = await mkdtemp(path.join(tmpdir(), 'units-'));
  try {
    for (const file of files) {
      // Nothing is installed here; systemd looks for the commands.
      const text = toText(`deploy/${file}`).replaceAll('/opt/clinic-leads', process.cwd());
      await writeFile(path.join(folder, file), change(text));
    }
    const args = ['verify', '--man=no', path.join(folder, unit)];
    const { status, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    // Other units of the machine are checked, too; their faults aren't ours.
    return { status, faults: stderr.split('\n').filter((line) => line.includes('clinic-leads')) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe.skipIf(isSkipped)('systemd-analyze', () => {
  test.each(units)('finds no fault with %s', async (unit) => {
    expect(await verify(unit)).toEqual({ status: 0, faults: [] });
  });

  test.each([
    ['a command that is missing', 'clinic-leads@3001.service', /(ExecStart=)\S+/, '$1/missing'],
    ['a value of a setting', 'clinic-leads-worker.service', /^RestartSec=.*$/m, 'RestartSec=soon'],
    ['a name of a setting', 'clinic-leads-backup.service', /^DynamicUser=/m, 'DynamicUsers='],
    ['a time of the timer', 'clinic-leads-backup.timer', /^OnCalendar=.*$/m, 'OnCalendar=at night'],
  ])('finds %s that is wrong', async (_name, unit, pattern, replacement) => {
    const { faults } = await verify(unit, (text) => text.replace(pattern, replacement));
    expect(faults).not.toEqual([]);
  });
});

import { writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { type Chain, chainFile, readChain } from './chain.ts';
import { makeChain } from './makeChain.ts';

/** Differ from chain to chain. The form's hash changes with its design, and new records have the newest version. */
const variable = ['uuid', 'leadPublicId', 'formSha256', 'rowHash', 'hashVersion'];
/** Of the brand, which a licensee changes. */
const branded = ['textId', 'textVersion', 'textShown', 'textSha256', 'channels'];

function comparable({ records }: Chain): unknown[] {
  return records.map((row) => {
    const left = row['textKnown'] === true ? [...variable, ...branded] : variable;
    const names = Object.keys(row).filter((name) => !left.includes(name));
    return Object.fromEntries([
      ...names.map((name) => [name, row[name]]),
      ['hasForm', row['formSha256'] !== null],
    ]);
  });
}

/** To add a case: `WRITE_EVIDENCE_CHAIN=1 npm test -- test/golden/evidence`. Never to make a test pass. */
test('the submissions that made the chain still leave the same evidence', async () => {
  const made = await makeChain();
  if (process.env['WRITE_EVIDENCE_CHAIN'] === '1')
    await writeFile(chainFile, await format(JSON.stringify(made), { parser: 'json', printWidth: 110 }));
  const chain = await readChain();
  expect(made.records).toHaveLength(12);
  expect(comparable(made)).toEqual(comparable(chain));
  const links = ({ seals }: Chain) => seals.map(({ recordId, sealed, keyId }) => [recordId, sealed, keyId]);
  expect(links(made)).toEqual(links(chain));
});

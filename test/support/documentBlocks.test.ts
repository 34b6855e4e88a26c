import { expect, test } from 'vitest';
import { commandBlocks, isAsDescribed } from './documentBlocks.ts';

test.each([
  ['Applied 7 migrations.\n', 'Applied … migrations.', true],
  ['Applied 7 migrations\n', 'Applied … migrations.', false],
  ['up{a="1"} => 1 @[5.2]\n', 'up{a="1"} => 1 @[…]', true],
  ['up{a="1"} => 0 @[5.2]\n', 'up{a="1"} => 1 @[…]', false],
  ['one\ntwo\nBuilt (3 s).\n', '…\nBuilt (… s).', true],
  ['Built (3 s).\n', '…\nBuilt (… s).', true],
  ['Built (3 s).\nFailed.\n', '…\nBuilt (… s).', false],
  ['Applied.\n\nOpen:\n  - a\n  - b\n', 'Applied.\n\nOpen:\n…', true],
  ['Failed.\n\nOpen:\n  - a\n', 'Applied.\n\nOpen:\n…', false],
  ['first\nsecond\n', 'first', false],
])('%j is compared with the described output', (output, expected, is) => {
  expect(isAsDescribed(output, expected)).toBe(is);
});

test('blocks have their section, tags, commands without indentation, and output', () => {
  const blocks = commandBlocks('docs/backup.md').filter(({ heading }) => heading === 'One machine');
  const of = (tag: string) => blocks.filter(({ tags }) => tags.includes(tag));
  expect(of('lost').map(({ commands }) => commands)).toEqual([expect.stringMatching(/^rm -rf .*\npg_/)]);
  expect(of('wait').map(({ expected }) => expected)).toEqual([expect.stringMatching(/^\{"status":"ok"/)]);
  expect(blocks[0]).toMatchObject({ tags: [], expected: null });
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect } from '#test/support/collect.ts';
import { meets } from '#test/support/meets.ts';
import { jsonElements } from './jsonElements.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const listElements = (text: string, size = 7): Promise<unknown[]> =>
  collect(jsonElements(inPieces(text, size)));

test('a list is parsed like JSON.parse does, however its bytes are split', async () => {
  const spaces = fc.constantFrom(undefined, 1, '\t');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue()),
      fc.integer({ min: 1, max: 50 }),
      spaces,
      async (list, size, space) => {
        const text = JSON.stringify(list, null, space);
        expect(await listElements(text, size)).toEqual(JSON.parse(text));
      },
    ),
  );
});

test('elements are read while the rest of the list has not arrived', async () => {
  meets('D.sync.07');
  const { promise: never } = Promise.withResolvers<void>();
  async function* open(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('[{"id":1},{"id":2},');
    await never;
  }
  const elements = jsonElements(open())[Symbol.asyncIterator]();
  expect(await elements.next()).toEqual({ done: false, value: { id: 1 } });
  expect(await elements.next()).toEqual({ done: false, value: { id: 2 } });
});

test('a byte order mark is not an element', async () => {
  expect(await listElements('\ufeff[1]')).toEqual([1]);
});

test.each([
  ['', 'The file is incomplete.'],
  ['[', 'The file is incomplete.'],
  ['[{"a":"]"},', 'The file is incomplete.'],
  ['[{"a":[1,2}', 'Element 1 is not valid JSON.'],
  ['[{"a":[1,2', 'The file is incomplete.'],
  ['{"providers":[]}', 'The file is not a list of providers.'],
  ['[1] [2]', 'The file is not a list of providers.'],
  ['<html>', 'The file is not a list of providers.'],
  ['[1,]', 'Element 2 is not valid JSON.'],
  ['[,1]', 'Element 1 is not valid JSON.'],
  ['[{"a":1},}[{"b":2}]', 'Element 2 is not valid JSON.'],
  ['[{"a":1} {"b":2}]', 'Element 2 is not valid JSON.'],
])('%s is refused', async (text, message) => {
  await expect(listElements(text)).rejects.toThrow(message);
});

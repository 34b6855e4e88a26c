import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { searchParams } from './searchParams.ts';

const schema = z.object({
  search: z.string().trim().max(5).optional(),
  providerId: z.number().int().positive().optional(),
  repeat: z.boolean().optional(),
  deleted: z.literal(true).optional(),
  sort: z.enum(['new', 'old']).default('new'),
  page: z.number().int().min(1).max(100).default(1),
});
const list = searchParams(schema);
const usual = { sort: 'new', page: 1 } as const;
const full = {
  search: 'a & b',
  providerId: 7,
  repeat: false,
  deleted: true,
  sort: 'old',
  page: 3,
} as const;
const read = (query: string) => list.read(new URLSearchParams(query));

describe('a list in the URL', () => {
  test('reads as it was written, in the order of the schema', () => {
    const written = list.write(new URLSearchParams(), full).toString();
    expect(written).toBe('search=a+%26+b&providerId=7&repeat=false&deleted=true&sort=old&page=3');
    expect(read(written)).toEqual(full);
  });

  test('leaves out defaults and empty values, and keeps other parameters', () => {
    const before = new URLSearchParams('tab=leads&page=9&search=x');
    expect(list.write(before, { ...usual, search: '' }).toString()).toBe('tab=leads');
    expect(before.get('page')).toBe('9');
  });

  test.each([
    'search=%20%20',
    'search=toolong',
    'providerId=1.5',
    'providerId=0x10',
    'providerId=-1',
    'providerId=99999999999999999999',
    'repeat=1',
    'deleted=false',
    'sort=email',
    'page=0',
    'page=1e1',
    'page=101',
    'page=',
  ])('drops the invalid value of %s', (query) => {
    expect(read(query)).toEqual(usual);
  });

  test('drops only the invalid value', () => {
    expect(read('page=0&providerId=7')).toEqual({ ...usual, providerId: 7 });
  });
});

test('two lists with different prefixes share one URL', () => {
  const other = searchParams(schema, 'application');
  const both = other.write(list.write(new URLSearchParams(), full), { sort: 'old', page: 2 });
  expect(both.get('applicationPage')).toBe('2');
  expect(list.read(both)).toEqual(full);
  expect(other.read(list.write(both, usual))).toEqual({ sort: 'old', page: 2 });
});

describe('the values of a request', () => {
  const input = (query: string, options?: { keepEmpty: boolean }) =>
    list.input(new URLSearchParams(query), options);

  test('keep invalid values, so that the schema can name them', () => {
    expect(input('page=0&providerId=x&repeat=true&deleted=true&other=1')).toStrictEqual({
      page: 0,
      providerId: 'x',
      repeat: true,
      deleted: true,
    });
  });

  test('have no field for an empty value unless empty values are kept', () => {
    expect(input('search=&page=')).toStrictEqual({});
    expect(input('search=&page=', { keepEmpty: true })).toStrictEqual({ search: '', page: '' });
  });
});

describe('a list of numbers in the URL', () => {
  const ids = searchParams(z.object({ ids: z.array(z.number().int()).max(3).default([]) }));

  test('reads as it was written, with commas', () => {
    const written = ids.write(new URLSearchParams(), { ids: [13, 14] });
    expect(written.get('ids')).toBe('13,14');
    expect(ids.read(written)).toEqual({ ids: [13, 14] });
  });

  test('is left out when it is empty', () => {
    expect(ids.write(new URLSearchParams('ids=1'), { ids: [] }).toString()).toBe('');
    expect(ids.input(new URLSearchParams('ids='))).toStrictEqual({});
  });

  test.each(['1,x', '1,,2', '1,2,3,4'])('is rejected as a whole if it is %s', (text) => {
    const params = new URLSearchParams({ ids: text });
    expect(ids.read(params)).toEqual({ ids: [] });
    expect(ids.input(params)['ids']).toHaveLength(text.split(',').length);
  });
});

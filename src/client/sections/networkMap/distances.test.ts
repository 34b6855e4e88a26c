import { expect, test } from 'vitest';
import type { PublicProvider } from '#shared/providers/providerFieldLists.ts';
import { meets } from '#test/support/meets.ts';
import { toPoint } from '#client/map/mapTypes.ts';
import { listProviders } from './distances.ts';

function provider(id: number, overrides: Partial<PublicProvider> = {}): PublicProvider {
  return {
    id,
    name: `Clinic ${id}`,
    practiceName: null,
    address: null,
    zipCode: '80202',
    status: 't',
    latitude: 40,
    longitude: -100,
    phone: null,
    website: null,
    url: null,
    domain: null,
    image_url: null,
    logo_url: null,
    accepts_free_consultation: false,
    accepts_financing: false,
    ...overrides,
  };
}

const listIds = (providers: PublicProvider[], from: Parameters<typeof listProviders>[1]): number[] =>
  listProviders(providers, from).map((listed) => listed.provider.id);

test('without a place, clinics are in the order of the names shown, numbers by value', () => {
  const providers = [
    provider(1, { name: 'Clinic 10' }),
    provider(2, { name: 'Clinic 9' }),
    provider(3, { name: 'Alder', practiceName: 'Zed' }),
  ];
  expect(listIds(providers, null)).toEqual([2, 1, 3]);
});

test('from a place the nearest comes first, equals by id, unplaced ones last', () => {
  const providers = [
    provider(5, { latitude: null, longitude: null }),
    provider(4, { latitude: 41 }),
    provider(3),
    provider(2),
    provider(1, { longitude: -160 }),
  ];
  const from = { latitude: 40, longitude: -100 };
  expect(listIds(providers, from)).toEqual([2, 3, 4, 1, 5]);
  const [first, , third] = listProviders(providers, from);
  expect(first?.miles).toBe(0);
  expect(third?.miles).toBeCloseTo(69.1, 1);
});

test('the way over the date line is the short one', () => {
  const [listed] = listProviders([provider(1, { latitude: 0, longitude: 179.9 })], {
    latitude: 0,
    longitude: -179.9,
  });
  expect(listed?.miles).toBeLessThan(15);
});

test.each([
  [{ latitude: 40, longitude: null }, null],
  [{ latitude: null, longitude: null }, null],
  [{ latitude: Number.NaN, longitude: -100 }, null],
  [
    { latitude: 0, longitude: 0 },
    { latitude: 0, longitude: 0 },
  ],
])('the coordinates %j are the point %j', (coordinates, point) => {
  expect(toPoint(coordinates)).toEqual(point);
});

test('coordinates that arrive as text are numbers', () => {
  meets('P3.provider.10');
  const { latitude, longitude } = JSON.parse('{"latitude":"39.739200","longitude":"-104.990300"}');
  expect(toPoint({ latitude, longitude })).toEqual({ latitude: 39.7392, longitude: -104.9903 });
});

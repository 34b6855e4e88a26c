import { expect, test } from 'vitest';
import { publicProvider } from './providers.ts';

const provider = {
  ...{ id: 7, name: 'Gable End', practiceName: null, address: null, zipCode: '80202', status: 't' },
  ...{ latitude: null, longitude: null, phone: null, website: null, url: null, domain: null },
  ...{ image_url: null, logo_url: null, accepts_free_consultation: false, accepts_financing: false },
};

test('the response of a provider lookup must include an id', () => {
  expect(publicProvider.safeParse(provider).success).toBe(true);
  for (const id of [undefined, null, '7'])
    expect(publicProvider.safeParse({ ...provider, id }).success).toBe(false);
});

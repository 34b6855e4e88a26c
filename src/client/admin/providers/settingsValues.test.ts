import { expect, test } from 'vitest';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { settingsChange, toSettings } from './settingsValues.ts';

const provider: AdminProvider = {
  id: 4,
  name: 'Amber Quay',
  practiceName: null,
  address: null,
  zipCode: '80202',
  status: 't',
  latitude: null,
  longitude: null,
  phone: null,
  website: null,
  url: null,
  domain: null,
  image_url: null,
  logo_url: null,
  accepts_free_consultation: false,
  accepts_financing: false,
  wordpress_id: null,
  email: 'clinic@example.com',
  google_ads_id: null,
  bing_ads_id: null,
  clinicianName: null,
  credential: null,
  npi: null,
  certifiedSince: null,
  about: null,
  hours: null,
  timeZone: null,
  languages: null,
  pictures: null,
  bookingUrl: null,
  leadCount: 0,
  paused: false,
  matchRadiusMiles: 40,
  themeHue: null,
  hasMpxapi: true,
  isApproximate: true,
  unreachable: null,
};

test('an unchanged value is not sent, because a colleague may have changed it', () => {
  const values = toSettings(provider);
  expect(settingsChange(provider, values)).toEqual({ change: null, errors: null });
  expect(settingsChange(provider, { ...values, paused: true }).change).toEqual({ id: 4, paused: true });
  expect(settingsChange(provider, { ...values, radius: '40 ', hue: 0 }).change).toEqual({
    id: 4,
    themeHue: 0,
  });
});

test('an emptied field clears its setting, and a typed key replaces the stored one', () => {
  const values = { ...toSettings(provider), radius: ' ', hue: 270, key: ' secret ' };
  expect(settingsChange(provider, values).change).toEqual({
    id: 4,
    matchRadiusMiles: null,
    themeHue: 270,
    mpxapi: 'secret',
  });
});

test('the checkbox removes the stored key', () => {
  expect(settingsChange(provider, { ...toSettings(provider), clearsKey: true }).change).toEqual({
    id: 4,
    mpxapi: null,
  });
});

test('the checkbox clears the hue', () => {
  const themed = { ...provider, themeHue: 200 };
  expect(settingsChange(themed, { ...toSettings(themed), hue: null }).change).toEqual({
    id: 4,
    themeHue: null,
  });
});

test.each(['0', '1.5', '12501', 'ten'])(
  'the radius "%s" changes nothing and has an error message',
  (radius) => {
    const { change, errors } = settingsChange(provider, { ...toSettings(provider), radius });
    expect([change, Object.keys(errors ?? {})]).toEqual([null, ['radius']]);
  },
);

test.each([
  { kind: 'with a space', key: 'two words' },
  { kind: 'in another script', key: 'ключ' },
  { kind: 'that is too long', key: 'k'.repeat(501) },
])('a key $kind has an error message', ({ key }) => {
  const { change, errors } = settingsChange(provider, { ...toSettings(provider), key });
  expect([change, Object.keys(errors ?? {})]).toEqual([null, ['key']]);
});

const details = {
  ...provider,
  hours: 'Mon 09:00-12:00; Tue closed; Wed closed; Thu closed; Fri closed; Sat closed; Sun closed',
  languages: ['en', 'es'],
  pictures: ['https://clinic.example/1.jpg', 'https://clinic.example/2.jpg'],
};

test('details that weren’t edited are not sent, and edited ones in their stored form', () => {
  const values = toSettings(details);
  expect(settingsChange(details, values)).toEqual({ change: null, errors: null });
  const edited = {
    ...values,
    details: { ...values.details, npi: ' 1234567893 ', languages: 'English', pictures: '' },
    hours: values.hours.map((day, at) => (at === 1 ? '9 am - 5 pm' : day)),
  };
  expect(settingsChange(details, edited).change).toEqual({
    id: 4,
    npi: '1234567893',
    languages: ['en'],
    pictures: null,
    hours: 'Mon 09:00-12:00; Tue 09:00-17:00; Wed closed; Thu closed; Fri closed; Sat closed; Sun closed',
  });
});

test('blank weekdays mean that no hours are known', () => {
  expect(settingsChange(details, { ...toSettings(details), hours: [] }).change).toEqual({
    id: 4,
    hours: null,
  });
});

test('details that can’t be used have messages, each beside its field', () => {
  const values = toSettings(details);
  const wrong = { ...values.details, npi: '123', bookingUrl: 'javascript:alert(1)', timeZone: 'EST' };
  const { change, errors } = settingsChange(details, { ...values, details: wrong, hours: ['9-5'] });
  expect(change).toBeNull();
  expect(errors).toEqual({
    npi: 'Enter the ten digits of an NPI.',
    bookingUrl: 'Enter an https address.',
    timeZone: 'Enter a time zone such as America/Denver.',
    hours: 'Enter hours such as Mon-Fri 09:00-12:00, 13:00-17:00; Sat closed.',
  });
});

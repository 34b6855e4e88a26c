import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageToken } from '#test/support/linkForm.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { golden, goldenSite, type GoldenRequest, type GoldenSite } from './goldenSite.ts';

const themedHost = 'juniper.example.com';
const opened = new AsyncDisposableStack();
let site: GoldenSite;

beforeAll(async () => {
  site = opened.use(await goldenSite());
});

afterAll(() => opened.disposeAsync());

const person = {
  first_name: 'Kit',
  last_name: 'Elmsworth',
  email: 'kit@example.com',
  phone: '(303) 555-0142',
};
const valid = { ...person, zip_code: '80202', acceptance_consent: 'true' };
const invalid = {
  first_name: `"><script>alert(1)</script>`,
  last_name: '',
  email: 'not an address',
  phone: '12',
  zip_code: '80202',
};
const invalidApplication = {
  practice_name: `"><script>alert(1)</script>`,
  contact_name: '',
  role: 'Practice manager',
  email: 'not an address',
  phone: '12',
  zip_code: '80202',
  website: 'clinic.example.com',
  message: 'First line\n  <second> & last ',
};

/** The same request from another network, which has its own limits. */
function from(ip: string, request: GoldenRequest): GoldenRequest {
  return { ...request, headers: { ...request.headers, 'x-forwarded-for': ip } };
}

interface FormCase extends GoldenRequest {
  file: string;
  path?: string;
}

describe('the response to a plain form matches its golden file', () => {
  test.each<FormCase>([
    { file: 'landing-invalid', form: { ...invalid, form: 'landing' } },
    { file: 'landing-empty', form: { form: 'landing' } },
    { file: 'landing-without-consent', form: { ...valid, acceptance_consent: '', form: 'landing' } },
    { file: 'unnamed-invalid', form: invalid },
    {
      file: 'variant-invalid',
      form: { ...invalid, form: 'landing' },
      headers: { referer: 'http://brand.example/homev2' },
    },
    { file: 'start-invalid', form: { ...invalid, form: 'quiz' } },
    { file: 'find-invalid', form: { ...invalid, form: 'find' } },
    { file: 'microsite-invalid', form: { ...invalid, form: 'microsite' }, path: '/api/leads?providerId=101' },
    { file: 'themed-invalid', form: { ...invalid, form: 'microsite' }, host: themedHost },
    { file: 'themed-unnamed-invalid', form: invalid, host: themedHost },
    { file: 'application-invalid', form: invalidApplication, path: '/api/provider-applications' },
    { file: 'application-empty', form: { role: '' }, path: '/api/provider-applications' },
    {
      file: 'themed-application-invalid',
      form: invalidApplication,
      path: '/api/provider-applications',
      host: themedHost,
    },
  ])('form-$file', async ({ file, path = '/api/leads', ...request }) => {
    await expect(await site.page(path, request)).toMatchFileSnapshot(golden(`form-${file}`));
  });

  test.each<FormCase>([
    { file: 'accepted-matched', form: { ...valid, email: 'one@example.com', form: 'landing' } },
    {
      file: 'accepted-themed',
      form: { ...valid, email: 'two@example.com', form: 'microsite' },
      host: themedHost,
    },
    {
      file: 'accepted-application',
      form: { ...invalidApplication, ...person, contact_name: 'Kit Elmsworth', acceptance_consent: 'true' },
      path: '/api/provider-applications',
    },
  ])('form-$file', async ({ file, path = '/api/leads', ...request }) => {
    await expect(await site.page(path, request)).toMatchFileSnapshot(golden(`form-${file}`));
  });

  test('headers-form-invalid', async () => {
    await expect(
      await site.headers('/api/leads', { form: { ...invalid, form: 'landing' } }),
    ).toMatchFileSnapshot(golden('headers-form-invalid', 'txt'));
  });

  test('form-too-many-failures, after thirty failures of one network', async () => {
    const request = from('192.0.2.30', { form: { ...invalid, form: 'landing' } });
    for (let count = 0; count < 30; count += 1)
      expect((await site.ask('/api/leads', request)).status).toBe(422);
    await expect(await site.page('/api/leads', request)).toMatchFileSnapshot(
      golden('form-too-many-failures'),
    );
    await expect(await site.headers('/api/leads', request)).toMatchFileSnapshot(
      golden('headers-form-too-many-failures', 'txt'),
    );
  });

  test('form-over-limit, then form-not-taken, above the submission limit', async () => {
    const limited = opened.use(
      await goldenSite({ env: { RATE_LIMIT_LEADS: '1/1h' }, database: site.database }),
    );
    // Each submission is of another person: a repeated one would get the response of the first.
    const request = (name: string): GoldenRequest =>
      from('192.0.2.31', { form: { ...valid, email: `${name}@example.com`, form: 'landing' } });
    expect((await limited.ask('/api/leads', request('first'))).status).toBe(303);
    await expect(await limited.page('/api/leads', request('second'))).toMatchFileSnapshot(
      golden('form-over-limit'),
    );
    await expect(await limited.headers('/api/leads', request('third'))).toMatchFileSnapshot(
      golden('headers-form-over-limit', 'txt'),
    );
    for (let count = 0; count < 28; count += 1)
      expect((await limited.ask('/api/leads', request(`other-${count}`))).status).toBe(429);
    await expect(await limited.page('/api/leads', request('last'))).toMatchFileSnapshot(
      golden('form-not-taken'),
    );
  });
});

/**
 * Links as messages contain them, signed with the key of the tests. They are literals because links in messages that
 * were already sent must keep working. The last digit of the UUID is the lead's number below.
 */
const withdrawal =
  '/withdraw/00000000-0000-4000-8000-000000000001.R4muh0X_onnzoFev2Ny2iRF2VI_mGtTvzdm9DY3K4lI';
const outcomes = {
  reached: '2_101_reached_1780135500.zUPLfzdL_honRweeTO5z92QFnJt2rQmen7lWuzD-VtE',
  booked: '2_101_booked_1780135500.G7A9l83DSHmIIh2Uqoq3-2aCRo3E7D0S3KjKLDDvgi4',
  'not-reachable': '2_101_not-reachable_1780135500.wmVsDp71QUorZnGpOaFf1TsgpxBm1n9wOvEfYjoqOYI',
  'wrong-area': '2_101_wrong-area_1780135500.is9sVw3wHb92HQ7A_6jo_3vp_7FnNiuX1O3tWkaOqyM',
  duplicate: '2_101_duplicate_1780135500.qL6fsBOZW7M7ySY64dL19Y21J032E_LC0W90XC6S3xk',
  recorded: '3_101_booked_1780135500.b9Ab37EfQEYjpAlAEQmqtv7RT0Ue5sUT4xcBkFINbbA',
  returned: '4_101_wrong-area_1780135500.nYPc0PmW4MlXFaE6iwGFKdFirV5s9fgWkE2carWPxjk',
  moved: '5_101_booked_1780135500.pr2lVXPuQMWE2ZPSJdFUUu5XF2LNv_sKEmjkwEP_HjY',
  restored: '6_101_booked_1780135500.PiNFnaYmxb2beCvg3I0w8TGF59g29zcjGfCNARDud2I',
  expired: '2_101_booked_1772359500.Yy0Yhs1smJa3ScgJJGmpUCCv3zOcjMVevrJYQkkQ_lM',
} as const;

/** The form on the page behind a link, with a field of its button. */
async function formOf(path: string, fields: Record<string, string> = {}): Promise<GoldenRequest> {
  return { form: { ...fields, token: await pageToken({ get: site.ask }, path) } };
}

function outcomePath(link: keyof typeof outcomes): string {
  return `/outcome/00000000-0000-4000-8000-00000000000${outcomes[link]}`;
}

beforeAll(async () => {
  const { db } = site.database;
  const holders = [101, 101, 101, 101, 102];
  for (const [index, providerId] of holders.entries()) {
    await insertAgreed(db, {
      publicId: `00000000-0000-4000-8000-00000000000${index + 1}`,
      providerId,
      firstName: 'Kit & <b>Co</b>',
      lastName: 'Concealed',
      email: `concealed-${index}@mail.example`,
      phone: `(303) 555-015${index}`,
      zipCode: '80202-1234',
    });
  }
});

describe('the withdrawal screen matches its golden file', () => {
  test('before and after the withdrawal, on every host', async () => {
    await expect(await site.page(withdrawal)).toMatchFileSnapshot(golden('withdraw-ask'));
    await expect(await site.page(withdrawal, { host: themedHost })).toMatchFileSnapshot(
      golden('withdraw-ask-themed'),
    );
    await expect(await site.headers(withdrawal)).toMatchFileSnapshot(golden('headers-withdraw', 'txt'));
    await expect(await site.page(withdrawal, { form: {} })).toMatchFileSnapshot(
      golden('withdraw-unconfirmed'),
    );
    await expect(await site.page(withdrawal, await formOf(withdrawal))).toMatchFileSnapshot(
      golden('withdraw-sent'),
    );
    await expect(await site.page(withdrawal)).toMatchFileSnapshot(golden('withdraw-done'));
  });

  test('for an invalid link, another method and too many requests', async () => {
    await expect(await site.page(`${withdrawal.slice(0, -1)}A`)).toMatchFileSnapshot(
      golden('withdraw-unknown'),
    );
    await expect(await site.page('/withdraw/unknown', { form: {} })).toMatchFileSnapshot(
      golden('withdraw-unknown-sent'),
    );
    await expect(await site.page(withdrawal, { method: 'DELETE' })).toMatchFileSnapshot(
      golden('withdraw-other-method'),
    );
    const request = from('192.0.2.32', { form: { 'List-Unsubscribe': 'One-Click' } });
    for (let count = 0; count < 60; count += 1)
      expect((await site.ask(withdrawal, request)).status).toBe(303);
    await expect(await site.page(withdrawal, request)).toMatchFileSnapshot(golden('withdraw-failed'));
  });
});

describe('the outcome screen matches its golden file', () => {
  test.each(['reached', 'booked', 'not-reachable', 'wrong-area', 'duplicate'] as const)(
    'for a link that proposes %s',
    async (outcome) => {
      await expect(await site.page(outcomePath(outcome))).toMatchFileSnapshot(
        golden(`outcome-ask-${outcome}`),
      );
    },
  );

  test('after an outcome was recorded and after it was changed', async () => {
    const path = outcomePath('recorded');
    await expect(await site.page(path, { form: {} })).toMatchFileSnapshot(golden('outcome-unconfirmed'));
    await expect(await site.page(path, await formOf(path))).toMatchFileSnapshot(golden('outcome-sent'));
    await expect(await site.page(path)).toMatchFileSnapshot(golden('outcome-recorded'));
    const duplicate = await formOf(path, { outcome: 'duplicate' });
    await expect(await site.page(path, duplicate)).toMatchFileSnapshot(golden('outcome-contradiction'));
    const unknown = await formOf(path, { outcome: 'sold' });
    await expect(await site.page(path, unknown)).toMatchFileSnapshot(golden('outcome-unknown-value'));
  });

  test('for a lead that was returned, moved or removed, and an expired link', async () => {
    const returned = outcomePath('returned');
    expect((await site.ask(returned, await formOf(returned))).status).toBe(303);
    await expect(await site.page(returned)).toMatchFileSnapshot(golden('outcome-pending'));
    await site.database.sql`
      with returned as (update leads set provider_id = null, match_method = 'none'
        where public_id = '00000000-0000-4000-8000-000000000004' returning id)
      insert into lead_outcomes (lead_id, provider_id, outcome, by) select id, 101, 'wrong-area', 'Clinic' from returned`;
    await expect(await site.page(returned)).toMatchFileSnapshot(golden('outcome-returned'));
    await expect(await site.page(outcomePath('moved'))).toMatchFileSnapshot(golden('outcome-moved'));
    await expect(await site.page(outcomePath('restored'))).toMatchFileSnapshot(golden('outcome-restored'));
    await site.database
      .sql`update leads set deleted_at = now() where public_id = '00000000-0000-4000-8000-000000000005'`;
    await expect(await site.page(outcomePath('moved'))).toMatchFileSnapshot(golden('outcome-gone'));
    await expect(await site.page(outcomePath('expired'))).toMatchFileSnapshot(golden('outcome-expired'));
  });

  test('for an invalid link, another host and too many requests', async () => {
    await expect(await site.page(`${outcomePath('booked').slice(0, -1)}A`)).toMatchFileSnapshot(
      golden('outcome-unknown'),
    );
    await expect(await site.page(outcomePath('booked'), { host: themedHost })).toMatchFileSnapshot(
      golden('outcome-themed'),
    );
    await expect(await site.headers(outcomePath('booked'))).toMatchFileSnapshot(
      golden('headers-outcome', 'txt'),
    );
    const form = async (link: keyof typeof outcomes): Promise<GoldenRequest> =>
      from('192.0.2.33', await formOf(outcomePath(link)));
    const request = await form('booked');
    for (let count = 0; count < 60; count += 1)
      expect((await site.ask(outcomePath('booked'), request)).status).toBe(303);
    await expect(await site.page(outcomePath('recorded'), await form('recorded'))).toMatchFileSnapshot(
      golden('outcome-failed'),
    );
  });
});

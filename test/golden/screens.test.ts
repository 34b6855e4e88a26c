import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageToken } from '#test/support/linkForm.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { goldenFile, goldenSite, type GoldenRequest, type GoldenSite } from './goldenSite.ts';

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

/** The outlines of the responses, which a test collects in the order of its requests. */
class Outlines {
  readonly #printed: string[] = [];

  async add(path: string, request?: GoldenRequest): Promise<void> {
    this.#printed.push(await site.outline(path, request));
  }

  get text(): string {
    return this.#printed.join('\n');
  }
}

const applications = '/api/provider-applications';

describe('the response to a plain form matches its golden file', () => {
  test('form-landing-invalid', async () => {
    const request = { form: { ...invalid, form: 'landing' } };
    await expect(await site.leadForm('/api/leads', request)).toMatchFileSnapshot(
      goldenFile('form-landing-invalid'),
    );
  });

  test('each form is printed again with its errors, or accepted', async () => {
    const outlines = new Outlines();
    const cases: GoldenRequest[] = [
      { form: { ...invalid, form: 'landing' } },
      { form: { form: 'landing' } },
      { form: { ...valid, acceptance_consent: '', form: 'landing' } },
      { form: invalid },
      { form: { ...invalid, form: 'landing' }, headers: { referer: 'http://brand.example/homev2' } },
      { form: { ...invalid, form: 'quiz' } },
      { form: { ...invalid, form: 'find' } },
      { form: { ...invalid, form: 'microsite' }, host: themedHost },
      { form: invalid, host: themedHost },
    ];
    for (const request of cases) await outlines.add('/api/leads', request);
    await outlines.add('/api/leads?providerId=101', { form: { ...invalid, form: 'microsite' } });
    for (const request of [
      { form: invalidApplication },
      { form: { role: '' } },
      { form: invalidApplication, host: themedHost },
    ])
      await outlines.add(applications, request);
    await outlines.add('/api/leads', { form: { ...valid, email: 'one@example.com', form: 'landing' } });
    const themed = { form: { ...valid, email: 'two@example.com', form: 'microsite' }, host: themedHost };
    await outlines.add('/api/leads', themed);
    const accepted = {
      ...invalidApplication,
      ...person,
      contact_name: 'Kit Elmsworth',
      acceptance_consent: 'true',
    };
    await outlines.add(applications, { form: accepted });
    await expect(outlines.text).toMatchFileSnapshot(goldenFile('outlines-forms', 'txt'));
  });

  test.each<[form: string, path: string, request: GoldenRequest]>([
    ['landing', '/api/leads', { form: { ...invalid, form: 'landing' } }],
    ['quiz', '/api/leads', { form: { ...invalid, form: 'quiz' } }],
    ['find', '/api/leads', { form: { ...invalid, form: 'find' } }],
    ['microsite', '/api/leads?providerId=101', { form: { ...invalid, form: 'microsite' } }],
    ['application', applications, { form: invalidApplication }],
  ])('the %s form keeps hostile values as values', async (_form, path, request) => {
    const { status, text } = await site.ask(path, request);
    expect(status).toBe(422);
    expect(text).toMatch(/value="(?:"|&quot;)?&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;"/);
    expect(text).toContain('value="not an address"');
    expect(text).not.toContain('<script>alert(1)');
  });

  test('all headers of refused forms match their golden file', async () => {
    const request = { form: { ...invalid, form: 'landing' } };
    const printed = [await site.headers('/api/leads', request)];
    const network = from('192.0.2.30', request);
    for (let count = 0; count < 30; count += 1)
      expect((await site.ask('/api/leads', network)).status).toBe(422);
    printed.push(await site.outline('/api/leads', network), await site.headers('/api/leads', network));
    await expect(printed.join('\n')).toMatchFileSnapshot(goldenFile('headers-forms', 'txt'));
  });

  test('form-over-limit, then form-not-taken, above the submission limit', async () => {
    meets('D.leads.89');
    const limited = opened.use(
      await goldenSite({ env: { RATE_LIMIT_LEADS: '1/1h' }, database: site.database }),
    );
    // Each submission is of another person: a repeated one would get the response of the first.
    const request = (name: string): GoldenRequest =>
      from('192.0.2.31', { form: { ...valid, email: `${name}@example.com`, form: 'landing' } });
    expect((await limited.ask('/api/leads', request('first'))).status).toBe(303);
    const printed = [
      await limited.leadForm('/api/leads', request('second')),
      await limited.headers('/api/leads', request('third')),
    ];
    expect(printed[0]).toContain('value="second@example.com"');
    for (let count = 0; count < 28; count += 1)
      expect((await limited.ask('/api/leads', request(`other-${count}`))).status).toBe(429);
    printed.push(await limited.outline('/api/leads', request('last')));
    await expect(printed.slice(1).join('\n')).toMatchFileSnapshot(goldenFile('outlines-limits', 'txt'));
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
async function getForm(path: string, fields: Record<string, string> = {}): Promise<GoldenRequest> {
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
    meets('D.hosts.24 D.conformity.17');
    const outlines = new Outlines();
    await outlines.add(withdrawal);
    await outlines.add(withdrawal, { host: themedHost });
    await outlines.add(withdrawal, { form: {} });
    await outlines.add(withdrawal, await getForm(withdrawal));
    await outlines.add(withdrawal);
    await expect(outlines.text).toMatchFileSnapshot(goldenFile('outlines-withdrawal', 'txt'));
    await expect(await site.headers(withdrawal)).toMatchFileSnapshot(goldenFile('headers-withdrawal', 'txt'));
  });

  test('for an invalid link, another method and too many requests', async () => {
    const outlines = new Outlines();
    await outlines.add(`${withdrawal.slice(0, -1)}A`);
    await outlines.add('/withdraw/unknown', { form: {} });
    await outlines.add(withdrawal, { method: 'DELETE' });
    const request = from('192.0.2.32', { form: { 'List-Unsubscribe': 'One-Click' } });
    for (let count = 0; count < 60; count += 1)
      expect((await site.ask(withdrawal, request)).status).toBe(303);
    await outlines.add(withdrawal, request);
    await expect(outlines.text).toMatchFileSnapshot(goldenFile('outlines-withdrawal-refused', 'txt'));
  });
});

/** The first outcome that a page's form offers. */
const proposed = /<button[^>]*value="([\w-]+)"/;

describe('the outcome screen matches its golden file', () => {
  test.each(['reached', 'booked', 'not-reachable', 'wrong-area', 'duplicate'] as const)(
    'for a link that proposes %s',
    async (outcome) => {
      const { text } = await site.ask(outcomePath(outcome));
      expect(proposed.exec(text)?.[1]).toBe(outcome);
      expect(text).not.toContain('Concealed');
    },
  );

  test('after an outcome was recorded and after it was changed', async () => {
    const path = outcomePath('recorded');
    const outlines = new Outlines();
    await outlines.add(path, { form: {} });
    await outlines.add(path, await getForm(path));
    await expect(await site.page(path)).toMatchFileSnapshot(goldenFile('outcome-recorded'));
    await outlines.add(path, await getForm(path, { outcome: 'duplicate' }));
    await outlines.add(path, await getForm(path, { outcome: 'sold' }));
    await expect(outlines.text).toMatchFileSnapshot(goldenFile('outlines-outcome', 'txt'));
  });

  test('for a lead that was returned, moved or removed, and an expired link', async () => {
    const returned = outcomePath('returned');
    const outlines = new Outlines();
    expect((await site.ask(returned, await getForm(returned))).status).toBe(303);
    await outlines.add(returned);
    await site.database.sql`
      with returned as (update leads set provider_id = null, match_method = 'none'
        where public_id = '00000000-0000-4000-8000-000000000004' returning id)
      insert into lead_outcomes (lead_id, provider_id, outcome, by) select id, 101, 'wrong-area', 'Clinic' from returned`;
    for (const path of [returned, outcomePath('moved'), outcomePath('restored')]) await outlines.add(path);
    await site.database
      .sql`update leads set deleted_at = now() where public_id = '00000000-0000-4000-8000-000000000005'`;
    for (const path of [outcomePath('moved'), outcomePath('expired')]) await outlines.add(path);
    await expect(outlines.text).toMatchFileSnapshot(goldenFile('outlines-outcome-of-changed-leads', 'txt'));
  });

  test('for an invalid link, another host and too many requests', async () => {
    meets('D.hosts.24 D.conformity.18');
    const outlines = new Outlines();
    await outlines.add(`${outcomePath('booked').slice(0, -1)}A`);
    await outlines.add(outcomePath('booked'), { host: themedHost });
    const form = async (link: keyof typeof outcomes): Promise<GoldenRequest> =>
      from('192.0.2.33', await getForm(outcomePath(link)));
    const request = await form('booked');
    for (let count = 0; count < 60; count += 1)
      expect((await site.ask(outcomePath('booked'), request)).status).toBe(303);
    await outlines.add(outcomePath('recorded'), await form('recorded'));
    await expect(outlines.text).toMatchFileSnapshot(goldenFile('outlines-outcome-refused', 'txt'));
    await expect(await site.headers(outcomePath('booked'))).toMatchFileSnapshot(
      goldenFile('headers-outcome', 'txt'),
    );
  });
});

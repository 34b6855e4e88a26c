import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDataKeys, dataKeySeal } from '#server/security/dataKeys.ts';
import { dataKeyPurposes } from '#server/db/schema/staff/access.ts';
import { openKey } from '#server/features/providers/sealedKey.ts';
import { listSecrets } from '#server/features/webhooks/endpointSecret.ts';
import { createFormTokens } from '#server/features/submissions/formToken.ts';
import { signOutcome } from '#server/features/mail/linkTokens.ts';
import { findDevice, rememberDevice } from '#server/features/auth/signInDevices.ts';
import { identityHash } from '#server/features/identity/identityHashes.ts';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { openText } from '#server/security/sealedText.ts';
import { applicationFormKey } from '#shared/applications/applications.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { leadInput } from '#test/support/factories.ts';
import { tracesIn } from '#test/support/erasureSetup.ts';
import { meets } from '#test/support/meets.ts';
import { insertAccount, getToken } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { testIdentityKey, testSecret } from '#test/support/testKeys.ts';
import { goldenFile, jsonText } from './goldenFiles.ts';

const secretKeys = [testSecret];
const publicId = '00000000-0000-4000-8000-000000000001';
const now = new Date('2026-06-01T12:00:00Z');

/**
 * Values that were sealed or signed under `testSecret` with the current purposes. Databases and browsers hold such
 * values.
 */
const stored = {
  providerKey: 'v1.U3nLiUL6_Q2zQoB_4eOWD-XuyY0_IQfYSO_wPXuOejLnRIX6mHPNlzVFIFwkgZM',
  endpointSecret: 'v1.RBd293V3cCvqRewuAtm147oVTMQdjORtLiAhbIusuW121Ljf96y94iGzq0OoeAp-one2UPwr',
  dataKey: 'v1.yE7EUbyZAbxgqLq3AhAQHTMuPZoQPSbjxxpfSQv57vad3uo3PkqgUNON',
  deviceCookie:
    'YigB-5UCjUmSAEyi_ArWP5_20605_Z2JZ8D2zfZQIZQEv5ty23A.udtXZLBcZ-56ZOoWlvBVf3imMwiPMhvDfwp7-MhLMSo',
};

test('values that were sealed, signed or hashed before can still be read', async () => {
  meets('D.abuse.44');
  const tokens = createFormTokens({ keys: secretKeys, now: () => now });
  const identityKey = Buffer.alloc(32, 7);
  const values = {
    signed: {
      withdrawal: signWithdrawal(secretKeys, publicId),
      outcomes: leadOutcomes.map((outcome) =>
        signOutcome(secretKeys, { publicId, providerId: 7, outcome, endsAt: now }),
      ),
      formTokens: [tokens.issue('landing'), tokens.issue(applicationFormKey)],
    },
    opened: {
      providerKey: openKey(secretKeys, 7, stored.providerKey),
      providerKeyOfAnotherProvider: openKey(secretKeys, 8, stored.providerKey),
      endpointSecret: listSecrets(
        secretKeys,
        { id: publicId, secret: stored.endpointSecret, previousSecret: null, previousUntil: null },
        now,
      ),
      dataKey: openText(secretKeys, dataKeySeal('identity-1'), stored.dataKey),
      device: findDevice({ secretKeys, cookie: stored.deviceCookie, email: 'owner@staff.example', now }),
      deviceOfAnotherAccount: findDevice({
        secretKeys,
        cookie: stored.deviceCookie,
        email: 'other@staff.example',
        now,
      }),
    },
    identityHashes: {
      email: identityHash(identityKey, 'email', 'kit@example.com'),
      phone: identityHash(identityKey, 'phone', '+13035550101'),
    },
    dataKeyPurposes: dataKeyPurposes.toSorted(),
  };
  await expect(jsonText(values)).toMatchFileSnapshot(goldenFile('keys.json'));
});

test('data keys are stored under their purpose and a number', async () => {
  await using app = await testApp();
  const keys = createDataKeys({ db: app.db, secretKeys });
  const ids = await Promise.all(dataKeyPurposes.map(async (purpose) => (await keys.current(purpose)).id));
  expect(ids).toEqual(['identity-1', 'consent-seal-1', 'erasure-ledger-1']);
  expect((await tracesIn(app.database, ids)).length).toBeGreaterThan(0);
});

function limiterKey(purpose: string, text: string): string {
  return createHmac('sha256', testSecret).update(`${purpose}\n${text}`).digest('base64url');
}

function refusedSignIn(app: TestApp, email: string, cookie?: string): Promise<Answer> {
  const headers: Record<string, string> = cookie === undefined ? {} : { cookie };
  return app.post('/trpc/admin.session.signIn', { email, password: 'wrong password' }, headers);
}

/** Which of the hashes the database holds, in whatever table. */
async function storedHashes(
  { database }: TestApp,
  hashes: Readonly<Record<string, string>>,
): Promise<string[]> {
  const traces = await tracesIn(database, Object.values(hashes));
  return Object.keys(hashes).filter((name) => traces.some((trace) => trace.endsWith(`: ${hashes[name]}`)));
}

test('limits store keyed hashes of networks, accounts, devices and recipients', async () => {
  await using app = await testApp({
    worker: true,
    env: { RATE_LIMIT_LEADS: '50/1h', CONTACT_EMAIL: 'us@brand.example' },
  });
  const { email } = await insertAccount(app, 'owner');
  await app.post('/api/leads', leadInput({ email: 'kit@example.com' }), await getToken(app, ['leads:write']));
  await refusedSignIn(app, email);
  const device = { secretKeys, email: 'other@staff.example', now: new Date() };
  const cookie = rememberDevice({ ...device, cookie: null });
  await refusedSignIn(app, device.email, `device=${cookie}`);
  const hashes = {
    'lead-limit': limiterKey('lead-limit', '127.0.0.1/32'),
    'lead-limit of a neighborhood': limiterKey('lead-limit', '127.0.0.0/24'),
    'sign-in': limiterKey('sign-in', '127.0.0.1/32'),
    'sign-in-account': limiterKey('sign-in-account', email),
    'sign-in-device': limiterKey('sign-in-device', findDevice({ ...device, cookie }) ?? 'none'),
    recipient: createHmac('sha256', await testIdentityKey(app))
      .update('recipient\nkit@example.com')
      .digest('hex'),
  };
  await expect.poll(() => storedHashes(app, hashes)).toEqual(Object.keys(hashes));
  expect(await storedHashes(app, { 'another purpose': limiterKey('other', '127.0.0.1/32') })).toEqual([]);
});

import { catchRefusal } from '#server/features/submissions/spam.ts';
import type { TestApp } from './testApp.ts';

const loopback = '127.0.0.1';
const callsMax = 2_000;

/** Uses up the submission limits of this machine, so that the server refuses its forms. */
export async function reachCeiling({ services }: Pick<TestApp, 'services'>): Promise<void> {
  for (let calls = 0; calls < callsMax; calls += 1)
    if ((await catchRefusal(services.limits.leads.take(loopback, 'over-limit', new Map()))) !== null) return;
  throw new Error('there is no limit to reach');
}

/** Fetches as many tokens of forms as one network may. */
export async function fetchTokens({ services }: Pick<TestApp, 'services'>): Promise<void> {
  const caller = { ip: loopback, site: { kind: 'main', host: 'localhost', tenant: null } } as const;
  for (let calls = 0; calls < callsMax; calls += 1)
    if ((await catchRefusal(services.submissions.tokenUses.issue(caller, 'landing'))) !== null) return;
  throw new Error('there is no limit to reach');
}

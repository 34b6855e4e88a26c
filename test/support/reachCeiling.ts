import { refusalOf } from '#server/features/submissions/admission.ts';
import type { TestApp } from './testApp.ts';

const loopback = '127.0.0.1';
const callsMax = 1_000;

/** Uses up the submission limits of this machine, so that the server refuses its forms. */
export async function reachCeiling({ services }: Pick<TestApp, 'services'>): Promise<void> {
  for (let calls = 0; calls < callsMax; calls += 1)
    if ((await refusalOf(services.leadLimits.take(loopback, 'over-limit', new Map()))) !== null) return;
  throw new Error('there is no limit to reach');
}

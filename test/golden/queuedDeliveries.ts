import { expect } from 'vitest';
import { z } from 'zod';
import type { StaffHeaders } from '#test/support/staff.ts';
import type { TestApp } from '#test/support/testApp.ts';

const listed = z.object({ result: z.object({ data: z.object({ total: z.number().int() }) }) });

/**
 * Waits until the result of each delivery is recorded. An erasure waits for attempts that are not, as long as they may
 * last.
 */
export async function noneQueued(app: TestApp, staff: StaffHeaders): Promise<void> {
  const input = encodeURIComponent(JSON.stringify({ state: 'queued' }));
  const count = async (): Promise<number> =>
    listed.parse((await app.get(`/trpc/admin.deliveries.list?input=${input}`, staff)).json()).result.data
      .total;
  await expect.poll(count, { timeout: 20_000 }).toBe(0);
}

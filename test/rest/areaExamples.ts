import type { Answer, TestApp } from '#test/support/testApp.ts';

const path = '/api/areas';
const area = { area_zip: '80202' };
const ask = (app: TestApp): Promise<Answer> => app.post(path, area);

/** A request for each status of the question about an area. */
export const areaExamples: Record<number, (app: TestApp) => Promise<Answer>> = {
  200: ask,
  400: (app) => app.post(path, '{'),
  413: (app) => app.post(path, { area_zip: 'x'.repeat(40_000) }),
  415: (app) => app.post(path, 'x', { 'content-type': 'text/plain' }),
  422: (app) => app.post(path, {}),
  429: async (app) => {
    await ask(app);
    await app.sql`update rate_limits set points = 100000 where key like '%preview%'`;
    return ask(app);
  },
  503: async (app) => {
    await app.services.db.$client.end();
    return ask(app);
  },
};

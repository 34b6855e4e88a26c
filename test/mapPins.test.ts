import { expect, test } from 'vitest';
import { listPins as dashboardPins } from '#client/admin/providers/ProvidersMap.tsx';
import { collectPins } from '#client/map/mapTypes.ts';
import { getPins as recruitmentPins } from '#client/sections/recruitment/RecruitmentMap.tsx';
import { adminProviderListOutput } from '#shared/admin/adminProviders.ts';
import { publicProvider } from '#shared/providers/providerFieldLists.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

test('each map has a pin for each provider with both coordinates, and for no other', async () => {
  meets('P2.admin.69 P5.valid.34 P5.valid.35 P5.valid.36 P2.map.15');
  await using app = await testApp();
  const placed = await insertProvider(app.db, { latitude: 39.8, longitude: -98.6 });
  await insertProvider(app.db, { latitude: null, longitude: null });
  const closed = await insertProvider(app.db, { status: 'f', latitude: 40, longitude: -100 });
  await insertProvider(app.db, { status: 'f', latitude: null, longitude: null });
  const listed = publicProvider.array().parse((await app.get('/api/providers')).json());
  expect(listed).toHaveLength(2);
  expect(collectPins(listed, 'active')).toMatchObject([{ id: placed.id, latitude: 39.8, longitude: -98.6 }]);
  const inactive = listed.map((provider) => ({ ...provider, id: provider.id + 100, status: 'f' as const }));
  expect(recruitmentPins([...listed, ...inactive])).toMatchObject([{ id: placed.id }]);
  const headers = await signedIn(app, 'viewer');
  const getGroup = async (status: string) => {
    const query = encodeURIComponent(JSON.stringify({ status }));
    const answer = await app.get(`/trpc/admin.providers.list?input=${query}`, headers);
    const { result }: { result: { data: unknown } } = Object(answer.json());
    return adminProviderListOutput.parse(result.data).providers;
  };
  const lists = { active: await getGroup('active'), inactive: await getGroup('inactive') };
  expect([lists.active.length, lists.inactive.length]).toEqual([2, 2]);
  expect(dashboardPins(lists).map(({ id, group }) => [id, group])).toEqual([
    [placed.id, 'active'],
    [closed.id, 'inactive'],
  ]);
});

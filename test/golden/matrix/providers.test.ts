import { expect, test } from 'vitest';
import { getToken } from '#test/support/staff.ts';
import { anchorage, boulder, goldenFile, openMatrix } from './matrixApp.ts';

/** A provider as a script pushes it. */
function pushed(wordpressId: number, own: object = {}): object {
  return {
    wordpress_id: wordpressId,
    name: `Pushed ${wordpressId}`,
    email: `pushed-${wordpressId}@example.com`,
    zip_code: '80202',
    domain: `pushed-${wordpressId}.example.com`,
    ...own,
  };
}

test('what staff set of a provider', async () => {
  await using at = await openMatrix();
  const id = await at.addProvider();
  await at.addLead(1);
  const update = (change: object) => at.call('admin.providers.update', { id, ...change });
  await at.record('pause', () => update({ paused: true }));
  await at.record('pause again', () => update({ paused: true }));
  await at.record('end of the pause', () => update({ paused: false }));
  await at.record('a radius', () => update({ matchRadiusMiles: 25 }));
  await at.record('no radius', () => update({ matchRadiusMiles: null }));
  await at.record('a hue', () => update({ themeHue: 120 }));
  await at.record('an API key', () => update({ mpxapi: 'a-key' }));
  await at.record('another API key', () => update({ mpxapi: 'another-key' }));
  await at.record('no API key', () => update({ mpxapi: null }));
  await at.record('nothing', () => update({}));
  await at.record('of an unknown provider', () =>
    at.call('admin.providers.update', { id: id + 1000, paused: true }),
  );
  await at.record('an invalid hue', () => update({ themeHue: 400 }));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('providers-staff'));
});

test('providers that a script pushes', async () => {
  await using at = await openMatrix();
  const script = await getToken(at.app, ['providers:write']);
  const push = (...providers: object[]) => at.rest('POST', '/api/providers/sync', { providers }, script);
  await at.addLead(1);
  await at.record('a new provider', () => push(pushed(1)));
  await at.record('the same again', () => push(pushed(1)));
  await at.record('another name', () => push(pushed(1, { name: 'Renamed' })));
  await at.record('another domain', () => push(pushed(1, { domain: 'moved.example.com' })));
  await at.record('another place', () => push(pushed(1, { zip_code: boulder })));
  await at.record('coordinates of the same ZIP', () =>
    push(pushed(1, { zip_code: boulder, latitude: 40.05, longitude: -105.2 })),
  );
  await at.record('inactive', () => push(pushed(1, { status: 'f', zip_code: boulder })));
  await at.record('inactive, with another name', () =>
    push(pushed(1, { status: 'f', name: 'Still inactive' })),
  );
  await at.record('active again', () => push(pushed(1)));
  await at.record('several: new, new inactive, without a place, invalid', () =>
    push(pushed(2), pushed(3, { status: 'f' }), pushed(4, { zip_code: '00000' }), { name: 'No number' }),
  );
  await at.record('a domain that is another’s', () =>
    push(pushed(5, { domain: 'pushed-2.example.com', zip_code: anchorage })),
  );
  await at.record('two domains are exchanged', () =>
    push(pushed(1, { domain: 'pushed-2.example.com' }), pushed(2, { domain: 'pushed-1.example.com' })),
  );
  // Two events: the domain is taken away by a statement of its own, before the status changes.
  await at.record('inactive, and another has its domain', () =>
    push(pushed(1, { status: 'f', domain: 'pushed-2.example.com' }), pushed(2)),
  );
  await at.record('without the scope', async () =>
    at.rest('POST', '/api/providers/sync', { providers: [pushed(6)] }, await getToken(at.app, ['sync:run'])),
  );
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('providers-push'));
});

test('a provider that opens has the unmatched leads', async () => {
  await using at = await openMatrix({ endpoints: false });
  await at.addEndpoint('deactivations', { types: ['provider.deactivated'] });
  const script = await getToken(at.app, ['providers:write']);
  const push = (...providers: object[]) => at.rest('POST', '/api/providers/sync', { providers }, script);
  await at.addLead(1);
  await at.record('a new provider, without an event', () => push(pushed(1)));
  await at.record('its end, with an event', () => push(pushed(1, { status: 'f' })));
  await at.record('a lead, without an event', () => at.addLead(2));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('providers-untold'));
});

import { startWordPress } from './wordpress.ts';

/** A process of its own for realWordPress.test.ts: brings one up, reports, and lives until it is killed. */
const site = await startWordPress();
process.send?.({ url: site.url, folder: await site.run('echo dirname(getcwd());') });
// Nor does it outlive a test that failed before the kill.
process.once('disconnect', () => process.exit());

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { skipWithoutMachine } from '#test/support/debianMachine.ts';
import { toText } from '#test/support/deployExamples.ts';
import { type CommandBlock, commandBlocks } from '#test/support/documentBlocks.ts';
import { clinicDomain, type DocumentedInstall, startInstall } from '#test/support/documentedInstall.ts';

/** The commands for one machine, in order. */
const installation = commandBlocks('docs/install.md').filter(({ heading }) => /^\d+\. /.test(heading));
const steps = [...new Set(installation.map(({ heading }) => heading))];
const restoration = commandBlocks('docs/backup.md').filter(({ heading }) => heading === 'One machine');
const upgrade = commandBlocks('docs/upgrade.md');

/** The second one is erased. */
const leadsLeft = ['1 sam@example.com', '2 erased-2@erased.invalid'];

function having(tag: string): (block: CommandBlock) => boolean {
  return ({ tags }) => tags.includes(tag);
}

function lacking(tag: string): (block: CommandBlock) => boolean {
  return ({ tags }) => !tags.includes(tag);
}

/** The blocks of the step with this name, in order, without those that undo it. */
function listBlocks(name: string): CommandBlock[] {
  return installation.filter(({ heading }) => heading.endsWith(name)).filter(lacking('undo'));
}

test('each step of the installation that leaves something behind can be undone', () => {
  expect(steps.length).toBeGreaterThan(10);
  const undone = new Set(installation.filter(having('undo')).map(({ heading }) => heading));
  // Their traces are files and rows of other steps.
  expect(steps.filter((step) => !undone.has(step))).toEqual([
    '5. Configuration',
    '6. Tables',
    '9. Providers',
    '14. Check',
  ]);
});

test('the blocks of commands have only tags that are known', () => {
  const tags = [...installation, ...restoration, ...upgrade].flatMap((block) => block.tags);
  expect([...new Set(tags)].toSorted()).toEqual(['damaged', 'lost', 'undo', 'visitor', 'wait']);
});

describe.skipIf(skipWithoutMachine())('an installation by the documentation', { retry: 0 }, () => {
  let install: DocumentedInstall;
  /** Each test needs those before it. */
  let hasFailed = false;

  beforeAll(async () => {
    install = await startInstall();
  });
  afterAll(() => install?.[Symbol.asyncDispose]());
  beforeEach(({ skip, onTestFailed }) => {
    skip(hasFailed, 'a test before it failed');
    onTestFailed(() => {
      hasFailed = true;
    });
  });

  test.each(steps)('the commands of “%s” work as written', async (step) => {
    await expect(install.runBlocks(listBlocks(step))).resolves.toBeUndefined();
  });

  test('a visitor of a provider’s own domain leaves a lead that the provider gets', async () => {
    const lead = {
      ...{ first_name: 'Pat', last_name: 'Example', email: 'pat@example.com', phone: '(303) 555-0177' },
      ...{ zip_code: '80202', acceptance_consent: true, acceptance_message: 'I agree to be contacted.' },
    };
    const answer = await install.post(`https://${clinicDomain}/api/leads`, lead);
    expect(answer).toMatchObject({ id: 2, providerId: 1 });
    const { received } = install.mail;
    await expect.poll(() => received.length).toBe(2);
    const messages = await Promise.all(received.map(async ({ to, email }) => [to, (await email).text]));
    expect(messages).toEqual([
      [[`clinic@${clinicDomain}`], expect.stringContaining('sam@example.com')],
      [[`clinic@${clinicDomain}`], expect.stringContaining('pat@example.com')],
    ]);
  });

  test('visitors reach only Caddy', async () => {
    const ports = [80, 443, 2019, 3000, 3001, 5432, 6432, 9090, 9464];
    const tries = ports.map((port) => `(</dev/tcp/brand.example/${port}) && echo ${port} || true`);
    const { output } = await install.machine.visit(tries.join('\n'));
    expect(output).toBe('80\n443\n');
    // All of them listen, on loopback.
    const { output: local } = await install.machine.run(
      tries.join('\n').replaceAll('brand.example', '127.0.0.1'),
    );
    expect(local.trim().split('\n').map(Number)).toEqual(ports);
  });

  test('both web processes are one user, whose folder has the built files that they keep', async () => {
    // Both see the folder as their own; on the disk, newer versions of systemd have another owner.
    const { output } = await install.machine.run(`
      for port in 3000 3001; do
        process=/proc/$(systemctl show --property=MainPID --value clinic-leads@$port)
        stat --format=%u $process
        disk=$process/root
        find $disk/var/lib/clinic-leads/ -printf '%U\\n' | sort --unique
      done
      ls /var/lib/clinic-leads/assets | grep --count '^entryClient.*js$'
      journalctl -u 'clinic-leads@*' --output cat | grep --count 'not-kept' || true`);
    const [user = ''] = output.split('\n');
    expect(Number(user)).toBeGreaterThan(0);
    expect(output).toBe(`${`${user}\n`.repeat(4)}1\n0\n`);
  });

  test('Prometheus evaluates each alert rule', async () => {
    const rules = z
      .object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string() })) })) })
      .parse(parse(toText('deploy/monitoring/alerts.yml')))
      .groups.flatMap((group) => group.rules.map(({ alert }) => alert));
    const { output } = await install.machine.run('curl -sS http://127.0.0.1:9090/api/v1/rules');
    const loaded = [...output.matchAll(/"name":"(\w+)","query".*?"health":"(\w+)"/g)];
    expect(loaded.map(([, name, state]) => [name, state])).toEqual(rules.map((name) => [name, 'ok']));
  });

  test('a lead that is erased after the backup is in the erasure ledger', async () => {
    // The step's last block makes a backup.
    await install.runBlocks(listBlocks('Backup').slice(-1));
    await install.signIn();
    const erasure = { leadId: 2, confirmation: '2', reason: 'asked' };
    const receipt = await install.post('https://brand.example/trpc/admin.personalData.erase', erasure);
    expect(receipt).toMatchObject({ result: { data: { leadIds: [2] } } });
    expect(await install.leads()).toEqual(leadsLeft);
    const ledger = async () => (await install.machine.run('cat /srv/clinic-leads-ledger/*')).output;
    await expect.poll(ledger).toContain('"kind":"erased"');
  });

  test('without Postgres’ data and their own, the processes are not ready', async () => {
    await install.machine.run(
      'systemctl stop postgresql && rm -rf /var/lib/postgresql/17 /var/lib/private/clinic-leads{,-worker}/*',
    );
    const probe =
      "for port in 3000 3001; do curl -s -o /dev/null -w '%{http_code} ' http://127.0.0.1:$port/readyz; done";
    await expect.poll(async () => (await install.machine.run(probe)).output).toBe('503 503 ');
  });

  test('the restore brings everything back, except the erased person', async () => {
    await install.runBlocks(restoration.filter(lacking('damaged')));
    expect(await install.leads()).toEqual(leadsLeft);
    await install.runBlocks(listBlocks('Monitoring').filter(having('wait')));
  });

  test('a damaged database is replaced by the backup, too', async () => {
    await install.machine.run(
      'runuser -u postgres -- psql clinic_leads --command "drop table leads cascade"',
    );
    await install.runBlocks(restoration.filter(lacking('lost')));
    expect(await install.leads()).toEqual(leadsLeft);
    await install.machine.run('runuser -u postgres -- dropdb clinic_leads_before');
  });

  test('a newer version is installed beside the earlier one, which can be started again', async () => {
    await install.release({ name: '0099_note', sql: 'alter table providers add column note text;\n' });
    await install.runBlocks(upgrade.filter(({ heading }) => heading === 'One machine'));
    expect(await install.leads()).toEqual(leadsLeft);
    await install.runBlocks(upgrade.filter(({ heading }) => heading === 'Rollback'));
    expect(await install.leads()).toEqual(leadsLeft);
  });

  test('after each step is undone, nothing of the installation is left', async () => {
    await install.runBlocks(installation.filter(having('undo')).toReversed());
    const { output } = await install.machine.run(`
      ls -d /etc/clinic-leads /etc/systemd/system/*clinic-leads* /opt/* /var/lib/clinic-leads* || true
      cat /proc/[0-9]*/comm | grep -E 'node|postgres|caddy|prometheus|pgbouncer' || true`);
    expect(output).toBe('');
  });
});

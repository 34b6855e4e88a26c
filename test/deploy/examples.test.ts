import { existsSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { listFaults } from '#test/support/configFaults.ts';
import {
  getEnvironment,
  environmentOfUnit,
  interpolate,
  readCompose,
  readProcfile,
  readUnit,
  toText,
} from '#test/support/deployExamples.ts';
import { meets } from '#test/support/meets.ts';
// From github.com/compose-spec/compose-spec at 170098b (Apache License 2.0), unchanged but for its layout.
import composeSpec from './composeSpec.json' with { type: 'json' };

/** What the examples need for themselves. */
const ofExamples = ['POSTGRES_PASSWORD', 'OWNER_PASSWORD', 'APP_PASSWORD', 'CADDY_OPTIONS', 'BACKUP_DAYS'];
/** What Node itself reads. */
const ofNode = ['NODE_COMPILE_CACHE'];
const ofApplication = [...Object.keys(getEnvironment('.env.example')), ...ofNode];

const example = getEnvironment('deploy/.env.example');
const { document, services } = readCompose();
const procfile = readProcfile();
const dockerfile = toText('deploy/Dockerfile');
const ours = ['release', 'app', 'worker', 'backup'];

/** The example as somebody fills it in. */
const filled = {
  ...example,
  MAIN_DOMAINS: 'brand.example, www.brand.example',
  SECRET_KEYS: 'Zk3vT9qLwX7bRn2YdHs8JmPc5GfAeU4iKoV6tBx1QyM',
  CONTACT_EMAIL: 'hello@brand.example',
  CONTACT_PHONE: '(303) 555-0100',
  LEGAL_POSTAL_ADDRESS: '100 Sample Street, Denver, CO 80202',
  LEGAL_ARBITRATION_PLACE: 'Denver, Colorado',
  STARTER_KIT_URL: 'https://brand.example/kit',
  POSTGRES_PASSWORD: 'f00d',
  OWNER_PASSWORD: '0edf00d',
  APP_PASSWORD: 'a99f00d',
};

/** Seconds until a process of ours has stopped at the latest: the production delay, then what it allows beyond that. */
function stopSeconds(): number {
  const given = [
    /production \? (\d+) : 0/.exec(toText('src/server/config/config.ts')),
    /stopMaxMs = (\d+)_000/.exec(toText('src/server/serve.ts')),
  ];
  return given.reduce((sum, match) => sum + Number(match?.[1]), 0);
}

describe('deploy/.env.example', () => {
  test('names only variables that are read', () => {
    const known = [...ofApplication, ...ofExamples];
    expect(Object.keys(example).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('names every variable that production requires', () => {
    // The examples set TRUSTED_PROXIES themselves.
    const missing = listFaults({ NODE_ENV: 'production', TRUSTED_PROXIES: '1' });
    expect(missing).toContain('SECRET_KEYS');
    expect(missing.filter((name) => !(name in example))).toEqual([]);
  });
});

describe('deploy/compose.yaml', () => {
  test('follows the Compose specification', () => {
    const { $schema: _, ...schema } = composeSpec;
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    validate(document);
    expect(validate.errors).toBeNull();
    // It reports a mistake when there is one.
    expect(validate({ services: { app: { imagine: 'node' } } })).toBe(false);
  });

  test('uses only variables of the example', () => {
    const asked = [...toText('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !(name in example))).toEqual([]);
  });

  test('sends without TLS only to its own mail catcher', () => {
    const getSmtp = (env: Record<string, string>): string =>
      interpolate(services['app']?.environment?.['SMTP_URL'] ?? '', env);
    expect(getSmtp(filled)).toBe('smtp://mail:1025?requireTLS=false');
    const url = getSmtp({ ...filled, SMTP_URL: 'smtp://mail.example' });
    const environment = { ...filled, NODE_ENV: 'production', TRUSTED_PROXIES: '1', SMTP_URL: url };
    expect(parseConfig(environment).smtpRequiresTls).toBe(true);
  });

  test.each(ours)('%s starts with the completed example and knows its variables', (name) => {
    meets('D.names.10');
    const given = services[name]?.environment ?? {};
    expect(Object.keys(given).filter((key) => given[key] !== '' && !ofApplication.includes(key))).toEqual([]);
    const values = Object.entries(given).map(([key, value]) => [key, interpolate(value, filled)]);
    expect(parseConfig({ ...filled, ...Object.fromEntries(values) })).toMatchObject({
      production: true,
      host: '0.0.0.0',
      port: 3000,
      trustedProxies: 1,
      mainDomains: ['brand.example', 'brand.example'],
      databaseUrl: 'postgres://clinic_leads:a99f00d@postgres:5432/clinic_leads',
      databaseOwnerUrl:
        name === 'release' ? 'postgres://clinic_leads_owner:0edf00d@postgres:5432/clinic_leads' : null,
    });
  });

  test('the passwords of owner and superuser reach only the services that use them', () => {
    const file = { ...filled, POSTGRES_PASSWORD: 'of-superuser', OWNER_PASSWORD: 'of-owner' };
    const knowing = (password: string): string[] =>
      Object.entries(services).flatMap(([name, { env_file: from, environment }]) => {
        const given = { ...(from === '.env' && file), ...environment };
        const values = Object.values(given).map((value) => interpolate(value, file));
        return values.some((value) => value.includes(password)) ? [name] : [];
      });
    expect(knowing('of-owner')).toEqual(['release', 'postgres']);
    expect(knowing('of-superuser')).toEqual(['postgres']);
  });

  test('Caddy gets every variable of its file', () => {
    const places = [...toText('deploy/Caddyfile').matchAll(/\{\$(\w+)/g)].map(([, name = '']) => name);
    expect([...new Set(places)].toSorted()).toEqual(
      Object.keys(services['caddy']?.environment ?? {}).toSorted(),
    );
  });

  test('runs what the Procfile runs', () => {
    meets('D.deliveries.09');
    expect(services['release']?.command?.join(' ')).toBe(`node ${procfile['release']}`);
    expect(services['worker']?.command?.join(' ')).toBe(`node ${procfile['worker']}`);
    expect(services['app']?.command).toBeUndefined();
    const [, command = '[]'] = /^CMD (.*)$/m.exec(dockerfile) ?? [];
    const words: unknown = JSON.parse(command);
    expect(words).toEqual(`node ${procfile['web']}`.split(' '));
  });

  test('pins every image, and a Node version that the packages accept', () => {
    const foreign = Object.entries(services).filter(([, { build }]) => build === undefined);
    expect(foreign.map(([name]) => name)).toEqual(['postgres', 'caddy', 'mail']);
    for (const [, { image }] of foreign) expect(image).toMatch(/:v?\d+\.\d+/);
    const nodes = [...dockerfile.matchAll(/^FROM node:(\d+\.\d+)\.\d+-/gm)].map(([, version]) => version);
    const [, asked] = /"node": "\^(\d+\.\d+)\.\d+"/.exec(toText('package.json')) ?? [];
    expect(nodes).toEqual([asked, asked]);
  });

  test('every long-running service has a health check, the worker at its port', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .* CMD \["healthcheck"\]$/m);
    const checked = Object.entries(services).map(([name, { healthcheck }]) => [
      name,
      healthcheck?.test !== undefined || (name === 'app' && healthcheck === undefined),
    ]);
    expect(Object.fromEntries(checked)).toEqual({
      release: false,
      app: true,
      worker: true,
      backup: true,
      postgres: true,
      caddy: true,
      mail: true,
    });
    const worker = services['worker'];
    expect(worker?.healthcheck?.test).toEqual(['CMD', 'healthcheck', worker?.environment['METRICS_PORT']]);
  });

  test('services wait for the migrated database, and Caddy for the application', () => {
    const order = Object.entries(services).map(([name, { depends_on: on }]) => [
      name,
      Object.entries(on).map(([other, { condition }]) => `${other} ${condition}`),
    ]);
    expect(Object.fromEntries(order)).toEqual({
      release: ['postgres service_healthy'],
      app: ['release service_completed_successfully'],
      worker: ['release service_completed_successfully'],
      backup: ['release service_completed_successfully'],
      postgres: [],
      caddy: ['app service_healthy'],
      mail: [],
    });
  });

  test('only Caddy is reachable from outside', () => {
    const published = Object.entries(services).flatMap(([name, { ports }]) =>
      ports.filter((port) => !port.startsWith('127.0.0.1:')).map((port) => `${name} ${port}`),
    );
    expect(published).toEqual(['caddy 80:80', 'caddy 443:443', 'caddy 443:443/udp']);
  });

  test('visitors by IPv6 reach Caddy with their own address', () => {
    expect(document).toMatchObject({ networks: { web: { enable_ipv6: true } } });
  });

  test('only the application reaches the database, and the database reaches nobody', () => {
    expect(document).toMatchObject({ networks: { database: { internal: true } } });
    expect(
      Object.fromEntries(Object.entries(services).map(([name, { networks }]) => [name, networks])),
    ).toEqual({
      release: ['database', 'outgoing'],
      app: ['database', 'outgoing', 'web'],
      worker: ['database', 'outgoing'],
      backup: ['database', 'outgoing'],
      postgres: ['database'],
      caddy: ['web'],
      mail: ['outgoing'],
    });
  });

  test('no container can write outside its volumes, gain privileges or take all memory', () => {
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.read_only, service.cap_drop, service.security_opt]).toEqual([
        name,
        true,
        ['ALL'],
        ['no-new-privileges:true'],
      ]);
      expect([name, service.cap_add]).toEqual([name, name === 'caddy' ? ['NET_BIND_SERVICE'] : []]);
      expect([name, service.mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, service.pids_limit]).toEqual([name, expect.any(Number)]);
    }
  });

  test('mounts only files that exist', () => {
    const files = Object.values(services).flatMap(({ volumes }) =>
      volumes.flatMap((volume) => (volume.startsWith('./') ? volume.split(':').slice(0, 1) : [])),
    );
    expect(files.toSorted()).toEqual(['./Caddyfile', './database.sql', './splitRoles.sql']);
    for (const file of files) expect(existsSync(`deploy/${file}`)).toBe(true);
  });

  test('every service has time to stop', () => {
    for (const name of ours)
      expect(Number(/^(\d+)s$/.exec(services[name]?.stop_grace_period ?? '')?.[1])).toBeGreaterThan(
        stopSeconds(),
      );
  });
});

test('every file that the image copies exists and is not ignored', () => {
  const lines = toText('deploy/Dockerfile.dockerignore').split('\n');
  const taken = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(lines).toContain('*');
  expect(taken.filter((file) => !existsSync(file))).toEqual([]);
  for (const needed of ['package.json', 'package-lock.json', '.npmrc', 'src', 'scripts', 'migrations'])
    expect(taken).toContain(needed);
  const [, programs = ''] = /^COPY (.*) \/usr\/local\/bin\/$/m.exec(dockerfile) ?? [];
  expect(programs.split(' ')).toEqual(['deploy/healthcheck', 'deploy/backup-daily']);
  for (const program of programs.split(' ')) {
    expect(taken).toContain(program);
    expect(statSync(program).mode & 0o111).toBe(0o111);
  }
});

/** The web unit is a template, whose instances are ports. */
const template = 'clinic-leads@.service';
/** Instances of docs/install.md. */
const ports = [3000, 3001];
const getInstance = (unit: Map<string, string[]>, port: number): Map<string, string[]> =>
  new Map([...unit].map(([name, values]) => [name, values.map((text) => text.replaceAll('%i', `${port}`))]));

describe.each([
  [template, 'web'],
  ['clinic-leads-worker.service', 'worker'],
])('deploy/%s', (file, name) => {
  const unit = getInstance(readUnit(`deploy/${file}`), 3001);
  const only = (setting: string): string => unit.get(setting)?.join(' | ') ?? '';

  test('runs what the Procfile runs, with time to stop', () => {
    expect(only('ExecStart')).toBe(`/opt/clinic-leads/node_modules/.bin/node ${procfile[name]}`);
    expect([only('KillSignal'), only('Restart')]).toEqual(['SIGTERM', 'on-failure']);
    expect(Number(only('TimeoutStopSec'))).toBeGreaterThan(stopSeconds());
    // Five failed starts within ten seconds would be the last.
    expect(Number(only('RestartSec'))).toBeGreaterThan(2);
  });

  test('starts with the example filled in, and knows every variable it is given', () => {
    const given = environmentOfUnit(unit);
    expect(Object.keys(given).filter((key) => !ofApplication.includes(key))).toEqual([]);
    const environment = { ...given, ...filled, DATABASE_URL: 'postgres://leads@localhost/leads' };
    expect(parseConfig(environment)).toMatchObject({
      production: true,
      port: name === 'web' ? 3001 : 3000,
      trustedProxies: 1,
      dataDir: `/var/lib/${only('StateDirectory')}`,
    });
  });
});

describe(`the instances of deploy/${template}`, () => {
  const units = ports.map((port) => getInstance(readUnit(`deploy/${template}`), port));

  test('share a user and its folders, and differ only by the port', () => {
    for (const unit of units)
      expect(
        ['DynamicUser', 'User', 'StateDirectory', 'CacheDirectory'].map((name) => unit.get(name)),
      ).toEqual([['yes'], ['clinic-leads'], ['clinic-leads'], ['clinic-leads']]);
    const differing = units.map((unit) =>
      [...unit].flatMap(([name, values]) => (isDeepStrictEqual(values, units[0]?.get(name)) ? [] : name)),
    );
    expect(differing).toEqual([[], ['Description', 'Environment']]);
    const given = units.map((unit) => environmentOfUnit(unit));
    expect(given.map(({ PORT, ...others }) => [PORT, others])).toEqual(
      ports.map((port) => [`${port}`, { ...given[0], PORT: undefined }]),
    );
  });

  test('are those that the documentation starts, Caddy uses and Prometheus reads', () => {
    const names = ports.map((port) => `clinic-leads@${port}`).join(' ');
    const install = toText('docs/install.md');
    expect(install).toContain(`systemctl enable --now ${names} clinic-leads-worker`);
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    expect(install).toContain(`APP_ADDRESS="${addresses.join(' ')}"`);
    expect(toText('deploy/monitoring/prometheus.yml')).toContain(
      `targets: [${addresses.map((address) => `'${address}'`).join(', ')}]`,
    );
    // The environment file would set it for all.
    expect(install).not.toMatch(/^PORT=/m);
  });
});

const units = [template, 'clinic-leads-worker.service', 'clinic-leads-backup.service'];

test.each(units)('deploy/%s can write only to its own folder and gains no privileges', (file) => {
  const unit = readUnit(`deploy/${file}`);
  const only = (setting: string): string => unit.get(setting)?.join(' | ') ?? '';
  expect({
    user: only('DynamicUser'),
    system: only('ProtectSystem'),
    home: only('ProtectHome'),
    privileges: only('NoNewPrivileges'),
    capabilities: unit.get('CapabilityBoundingSet'),
    writable: unit.get('ReadWritePaths'),
  }).toEqual({
    user: 'yes',
    system: 'strict',
    home: 'yes',
    privileges: 'yes',
    capabilities: [''],
    writable: undefined,
  });
});

test.each(units)('deploy/%s listens on this machine only, and trusts Caddy', (file) => {
  const environment = environmentOfUnit(readUnit(`deploy/${file}`));
  expect(environment).toMatchObject({ HOST: '127.0.0.1', TRUSTED_PROXIES: '1' });
});

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readCompose, readProcfile, readUnit, toText } from '#test/support/deployExamples.ts';

const restrictions = z.object({
  build: z.unknown().optional(),
  user: z.string().optional(),
  privileged: z.boolean().optional(),
  read_only: z.boolean().default(false),
  tmpfs: z.union([z.string(), z.array(z.string())]).default([]),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});
const { services } = z.object({ services: z.record(z.string(), restrictions) }).parse(readCompose().document);
/** Only ours are built here. */
const ours = Object.keys(services).filter((name) => services[name]?.build !== undefined);

describe('deploy/compose.yaml', () => {
  test('has four services of our own', () => {
    expect(ours).toEqual(['release', 'app', 'worker', 'backup']);
  });

  test.each(ours)('%s writes only to /tmp and its volume, as the image’s user, without rights', (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      tmpfs: '/tmp',
      cap_drop: ['ALL'],
      cap_add: [],
      security_opt: ['no-new-privileges:true'],
      volumes: name === 'backup' ? ['backups:/backups'] : [],
    });
    expect([services[name]?.user, services[name]?.privileged]).toEqual([undefined, undefined]);
  });
});

describe('deploy/Dockerfile', () => {
  const lines = toText('deploy/Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n');
  /** The lines of the last stage, which is the image. */
  const image = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  const listArguments = (instruction: string): string[] =>
    image.flatMap((line) => (line.startsWith(`${instruction} `) ? line.slice(instruction.length + 1) : []));
  const packageJson = z
    .object({ version: z.string(), license: z.string() })
    .parse(JSON.parse(toText('package.json')));

  test('runs as the user of the Node image, who owns the place of the backups', () => {
    expect(listArguments('USER')).toEqual(['node']);
    expect(listArguments('RUN')).toEqual(['install -d -m 0700 -o node -g node /backups']);
  });

  test('has the version of package.json', () => {
    expect(listArguments('ARG')).toEqual([`VERSION=${packageJson.version}`, 'REVISION=unknown']);
  });

  test('has labels that say what it is, and which version and revision', () => {
    const labels = listArguments('LABEL').flatMap((line) => [...line.matchAll(/([\w.]+)="([^"]*)"/g)]);
    const prefix = 'org.opencontainers.image.';
    expect(Object.fromEntries(labels.map(([, name, value]) => [name, value]))).toEqual({
      [`${prefix}title`]: 'Clinic lead platform',
      [`${prefix}description`]: 'Marketing site, provider sites, lead matching and delivery',
      [`${prefix}licenses`]: packageJson.license,
      [`${prefix}version`]: '${VERSION}',
      [`${prefix}revision`]: '${REVISION}',
    });
  });

  test('starts the web process with the flags of the Procfile and of its unit', () => {
    const [command = ''] = listArguments('CMD');
    const words = z.array(z.string()).parse(JSON.parse(command));
    expect(words[0]).toBe('node');
    const expected = words.slice(1).join(' ');
    expect(expected).toMatch(/^--\S+ .*src\/server\/main\.ts web$/);
    expect(readProcfile()['web']).toBe(expected);
    const started = readUnit('deploy/clinic-leads@.service').get('ExecStart');
    expect(started?.map((line) => line.replace(/^\S*\/node /, ''))).toEqual([expected]);
  });
});

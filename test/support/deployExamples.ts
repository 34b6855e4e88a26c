import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';

const root = path.resolve(import.meta.dirname, '../..');

export const toText = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The names and values of an example environment. */
export const getEnvironment = (file: string): Record<string, string> => {
  const values = Object.entries(parseEnv(toText(file)));
  return Object.fromEntries(values.map(([name, value]) => [name, value ?? '']));
};

const service = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()).optional(), disable: z.boolean().optional() }).optional(),
  stop_grace_period: z.string().optional(),
  networks: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  mem_limit: z.string().optional(),
  pids_limit: z.number().optional(),
});
export type ComposeService = z.output<typeof service>;

/** The compose file's text and its parsed services. */
export function readCompose(): { document: unknown; services: Record<string, ComposeService> } {
  const document: unknown = parse(toText('deploy/compose.yaml'), { merge: true });
  return {
    document,
    services: z.object({ services: z.record(z.string(), service) }).parse(document).services,
  };
}

/**
 * Fills `${NAME}`, `${NAME:-default}` and `${NAME:?reason}` like compose. Throws if a required one is missing or empty.
 */
export function interpolate(text: string, values: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest?: string) => {
    const value = values[name] ?? '';
    if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`);
    return value === '' && kind === '-' ? (rest ?? '') : value;
  });
}

/** A unit's settings, each with all its values in order. */
export function readUnit(file: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const [, name = '', value = ''] of toText(file).matchAll(/^(\w+)=(.*)$/gm))
    settings.set(name, [...(settings.get(name) ?? []), value]);
  return settings;
}

/** The variables that `Environment=` sets. */
export function environmentOfUnit(unit: Map<string, string[]>): Record<string, string> {
  const pairs = (unit.get('Environment') ?? []).flatMap((line) => line.split(' '));
  return Object.fromEntries(pairs.map((pair) => [pair.replace(/=.*/, ''), pair.replace(/^[^=]*=/, '')]));
}

/** The Procfile's processes, without Node's path. */
export function readProcfile(): Record<string, string> {
  const lines = [...toText('Procfile').matchAll(/^(\w+): \S*node (.*)$/gm)];
  return Object.fromEntries(lines.map(([, name = '', command = '']) => [name, command]));
}

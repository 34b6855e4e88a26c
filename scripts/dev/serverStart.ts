import { z } from 'zod';

const variable = 'DEVELOPMENT_START';

const startSchema = z.object({
  startedAtMs: z.number(),
  viteSocket: z.string(),
  database: z.string(),
  isRestart: z.boolean(),
});

/** What scripts/dev.ts passes to scripts/dev/server.ts. */
export type ServerStart = z.output<typeof startSchema>;

export function toEnvironment(start: ServerStart): Record<string, string> {
  return { [variable]: JSON.stringify(start) };
}

export function readServerStart(): ServerStart {
  return startSchema.parse(JSON.parse(process.env[variable] ?? ''));
}

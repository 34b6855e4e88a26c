import { ConfigError, parseConfig } from '#server/config/config.ts';

/** Names of the variables with faults. */
export function listFaults(env: Record<string, string>): string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((fault) => fault.split(':')[0] ?? '');
  }
}

import { existsSync } from 'node:fs';
import { type Config, ConfigError, parseConfig } from './config.ts';

/** The configuration of this process, .env included; or prints all of its errors and exits. */
export function configOrExit(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  try {
    return parseConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\nEvery variable is explained in .env.example.\n`);
    return process.exit(1);
  }
}

import { readFileSync } from 'node:fs';
import { z } from 'zod';

const packageFile = new URL('../../package.json', import.meta.url);

/** The version of this product, from package.json. */
export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(packageFile, 'utf8')));

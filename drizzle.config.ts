import { defineConfig } from 'drizzle-kit';

// Generates SQL from the schema only; migrations are applied by the server itself (src/server/db/migrate.ts).
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/server/db/schema/index.ts',
  out: './migrations',
});

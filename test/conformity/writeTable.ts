import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { requirements, root } from './requirements.ts';

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          meta: z.object({ requirements: z.array(z.string()).optional() }),
        }),
      ),
    }),
  ),
});

/** `npm run conformity`: each requirement with the tests that prove it and their results in the last reports. */
function writeTable(): void {
  const proofs = new Map<string, string[]>();
  const reports = ['vitest', 'peers']
    .map((name) => join(root, `test-results/${name}.json`))
    .filter((path) => existsSync(path));
  for (const path of reports)
    for (const file of report.parse(JSON.parse(readFileSync(path, 'utf8'))).testResults)
      for (const { fullName, status, meta } of file.assertionResults)
        for (const id of meta.requirements ?? []) {
          const proof = `${relative(root, file.name)}: ${fullName} (${status})`;
          proofs.set(id, [...(proofs.get(id) ?? []), proof]);
        }
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const rows = [...requirements].map(
    ([id, text]) => `| ${id} | ${cell(text)} | ${cell((proofs.get(id) ?? ['no report']).join('; '))} |`,
  );
  const path = join(root, 'test-results/conformity.md');
  writeFileSync(path, `| id | requirement | tests |\n| --- | --- | --- |\n${rows.join('\n')}\n`);
  const missing = [...requirements.keys()].filter((id) => !proofs.has(id));
  process.stdout.write(
    `${path}: ${requirements.size - missing.length} of ${requirements.size} requirements have a report\n`,
  );
}

writeTable();

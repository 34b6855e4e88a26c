import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { auditExceptions, judgeAudit } from './audit/judgeAudit.ts';

/**
 * `npm audit` without high or critical findings, but for the exceptions in scripts/audit/exceptions.json. A registry that
 * doesn't answer or has no audit is no failure, unless AUDIT=required.
 */
function main(): void {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const file = new URL('audit/exceptions.json', import.meta.url);
  const exceptions = auditExceptions.parse(JSON.parse(readFileSync(file, 'utf8')));
  const today = new Date().toISOString().slice(0, 10);
  const problems = judgeAudit(JSON.parse(stdout || '{"message":"npm printed nothing"}'), {
    exceptions,
    today,
  });
  if (problems === null) {
    console.log('Not checked: the registry doesn’t answer, or has no audit.');
    process.exitCode = process.env['AUDIT'] === 'required' ? 1 : 0;
    return;
  }
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

main();

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { staffRoles } from '#shared/admin/staff.ts';
import { everyProcedure } from '#test/support/procedures.ts';

const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');

/** The procedures of a role, by router; `*` marks those that need a recent sign-in. */
function listOf(role: string | null): string {
  const routers = new Map<string, string[]>();
  for (const { path, access, needsRecentSignIn } of everyProcedure) {
    if (access === null || access.role !== role) continue;
    const parts = path.replace(/^admin\./, '').split('.');
    const name = `${parts.at(-1)}${needsRecentSignIn ? '*' : ''}`;
    const router = parts.slice(0, -1).join('.');
    routers.set(router, [...(routers.get(router) ?? []), name]);
  }
  return [...routers]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([router, names]) => `${router}: ${names.join(', ')}`)
    .join('; ');
}

test('ARCHITECTURE.md lists every procedure of staff beside its role', () => {
  const rows = [...staffRoles, null].map((role) => `| ${role ?? 'tokens only'} | ${listOf(role)} |`);
  const stated = page.split('\n').filter((line) => /^\| (?:viewer|manager|owner|tokens only) \|/.test(line));
  expect(stated).toEqual(rows);
  expect(rows.join('').split(/[:,;]/).length).toBeGreaterThan(80);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { auditExceptions, judgeAudit } from '#scripts/audit/judgeAudit.ts';

const advisory = (id: string, severity: string) => ({
  ...{ source: 1, dependency: 'sample', range: '<2.0.0', cwe: [], cvss: { score: 7, vectorString: null } },
  ...{ url: `https://github.com/advisories/${id}`, name: 'sample', title: 'Something bad', severity },
});
const grave = 'GHSA-aaaa-bbbb-cccc';
const minor = 'GHSA-dddd-eeee-ffff';
/** As npm prints it: a package with two advisories, and one that depends on it. */
const report = {
  auditReportVersion: 2,
  vulnerabilities: {
    sample: { name: 'sample', severity: 'high', via: [advisory(grave, 'high'), advisory(minor, 'moderate')] },
    user: { name: 'user', severity: 'high', via: ['sample'] },
  },
  metadata: {},
};
const exception = { advisory: grave, reason: 'Only its tests call it.', until: '2027-01-31' };
const today = '2027-01-01';

test('a high finding is a problem, a moderate one is not', () => {
  expect(judgeAudit(report, { exceptions: [], today })).toEqual([`${grave} (high): sample: Something bad`]);
});

test('an exception allows a finding until its day', () => {
  expect(judgeAudit(report, { exceptions: [exception], today })).toEqual([]);
  expect(judgeAudit(report, { exceptions: [exception], today: '2027-02-01' })).toEqual([
    `The exception for ${grave} ended on 2027-01-31. Look at it again.`,
  ]);
});

test('an exception for what is no longer found is a problem', () => {
  const clean = { ...report, vulnerabilities: {} };
  expect(judgeAudit(clean, { exceptions: [exception], today })).toEqual([
    `${grave} is no longer found. Remove the exception.`,
  ]);
});

test('without an audit nothing is judged; any other text is an error', () => {
  const failure = { message: '405 Method Not Allowed', error: { summary: '', detail: '' } };
  expect(judgeAudit(failure, { exceptions: [], today })).toBeNull();
  expect(() => judgeAudit({}, { exceptions: [], today })).toThrow('vulnerabilities');
});

test('the file of exceptions is valid', () => {
  const text = readFileSync('scripts/audit/exceptions.json', 'utf8');
  expect(() => auditExceptions.parse(JSON.parse(text))).not.toThrow();
});

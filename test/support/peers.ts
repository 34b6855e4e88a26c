/**
 * Whether this machine lacks a program of another product: its tests are skipped, and the run says why. With
 * REQUIRE_PEERS=1, as in .ci/run, a missing one is a failure instead.
 */
export function isPeerMissing(isFound: boolean, sentence: string): boolean {
  if (isFound) return false;
  if (process.env['REQUIRE_PEERS'] === '1') throw new Error(sentence);
  process.stderr.write(`${sentence} Its tests are skipped.\n`);
  return true;
}

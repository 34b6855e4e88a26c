/**
 * Waits for statements of one transaction that were sent together. Throws the error of the first one that failed: those
 * after it fail only because the transaction is aborted.
 */
export async function sendTogether(statements: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(statements);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

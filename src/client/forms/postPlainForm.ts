/** A submission as a plain form post sends it. */
export type PlainFields = Record<string, string>;

/** The input of a form's request as fields of a plain form post. The server reads the same submission from both. */
export function plainFields(input: object, idempotencyKey: string): PlainFields {
  const entries = Object.entries<unknown>({ ...input, idempotency_key: idempotencyKey });
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
    }),
  );
}

/**
 * Leaves the page by a plain form post to the form's address. A form of its own carries the fields, so that a visitor
 * who comes back finds theirs as it was. A provider is part of the address.
 */
export function postPlainForm({ action }: HTMLFormElement, { providerId, ...fields }: PlainFields): void {
  const address = new URL(action);
  if (providerId !== undefined) address.searchParams.set('providerId', providerId);
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: address.href, hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

const reachTimeoutMs = 5000;

/** Whether the site responds to this page's address. Asked before a page is left whose script gets no answer. */
export async function isSiteReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(reachTimeoutMs);
    const { pathname, search } = window.location;
    return (await fetch(pathname + search, { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

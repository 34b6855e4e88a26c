import { createFormTokens, type TokenForm } from '#server/features/submissions/formToken.ts';
import { testSecret } from './testKeys.ts';

/** A token that testApp accepts, of a form that was rendered ten seconds ago. */
export function formToken(form: TokenForm): string {
  const now = (): Date => new Date(Date.now() - 10_000);
  return createFormTokens({ keys: [testSecret], now }).issue(form);
}
